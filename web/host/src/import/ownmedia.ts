// The pictures and sounds of a file that comes in: a file only names them, and only those of this account can be used. Called by
// the import dialogue before its preview.

import type { HostApi, QuestionBody, Skipped } from '$sdk';

import type { ReadFile } from '../formats/formats.ts';

/** The file without pictures and sounds of other accounts, each with a line in the report. */
export async function withOwnMedia(file: ReadFile, api: Pick<HostApi, 'media'>): Promise<ReadFile> {
  const { quiz } = file;
  const named = quiz?.rounds.some(({ questions }) => questions.some(({ media }) => media)) ?? false;
  if (!quiz || !named) return file;
  const own = await ownIds(api);
  if (own === null) return file;
  const skipped = [...file.skipped];
  const rounds = quiz.rounds.map((round, at) => ({
    ...round,
    questions: round.questions.map((question, number) => {
      if (!question.media || own.has(question.media.id)) return question;
      const { media: _media, ...body } = question;
      skipped.push(remark(body, { round: at + 1, question: number + 1 }));
      return body;
    }),
  }));
  return { ...file, quiz: { ...quiz, rounds }, skipped };
}

/** Null when the account cannot be asked: then the server refuses what is not its own. */
async function ownIds(api: Pick<HostApi, 'media'>): Promise<ReadonlySet<string> | null> {
  try {
    return new Set((await api.media()).media.map(({ id }) => id));
  } catch {
    return null;
  }
}

function remark(about: QuestionBody, place: { round: number; question: number }): Skipped {
  return { ...place, at: null, excerpt: about.text.slice(0, 60), about, reason: 'bad_media', params: {}, dropped: false };
}
