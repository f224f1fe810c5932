// Gives the person a file that was made on this page. Nothing is sent anywhere.

/** The kinds of files a quiz can be written to. */
export type FileKind = 'json' | 'csv';

const TYPES = { json: 'application/json', csv: 'text/csv;charset=utf-8' } as const;

/** Downloads a text under a name made of the title. */
export function download(text: string, title: string, kind: FileKind): void {
  const url = URL.createObjectURL(new Blob([text], { type: TYPES[kind] }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${fileName(title)}.${kind}`;
  link.click();
  // The browser has taken it by then.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 10_000);
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
