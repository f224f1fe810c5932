// Exports a quiz as a file of a kind: loads the writers, downloads the result, and reports what the format cannot hold. Used by the rows of
// the home page and by the editor's menu.

import type { QuizUpload } from '$sdk';
import { m } from '$words/language.svelte.ts';

import type { FileKind } from '../formats/kinds.ts';
import { download, fileName } from '../frame/download.ts';
import { showNoticeHere } from '../frame/notices.svelte.ts';

/** Rejects when the writers cannot be loaded. */
export async function exportQuiz(quiz: QuizUpload, kind: FileKind): Promise<void> {
  const { writeQuiz } = await import('../formats/export.ts');
  const { content, ending, mime, leftOut } = writeQuiz(quiz, kind);
  if (leftOut > 0 && leftOut === quiz.rounds.reduce((sum, { questions }) => sum + questions.length, 0)) {
    showNoticeHere(m.host_export_nothing());
    return;
  }
  download(new Blob([content], { type: mime }), `${fileName(quiz.title)}.${ending}`);
  if (leftOut > 0) showNoticeHere(m.host_export_left_out({ count: leftOut }));
}
