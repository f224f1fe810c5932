// Downloads a file that this page has in memory, and makes file names. Used by the exports of quizzes and results. Sends
// nothing anywhere.

/** By then (ms) the browser has taken the file, even if it first asks where to save it. */
const TAKEN_BY = 10_000;

/** Downloads the file under this name. */
export function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, TAKEN_BY);
}

/** A title as a file name that every system takes. */
export function fileName(title: string): string {
  const name = title.normalize('NFC').replace(/[^\p{L}\p{N}\p{M}]+/gu, '-').replace(/^-+|-+$/g, '');
  return [...name].slice(0, 60).join('') || 'quiz';
}

/** A file's name without its ending, as a title. */
export function titleOfFile(name: string): string {
  return name.replace(/\.[^.]{1,5}$/, '').replace(/[-_]+/g, ' ').trim();
}
