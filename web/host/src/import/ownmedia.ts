// The pictures and sounds of a file that comes in, before its preview: a file that only names them can use those of this account,
// and of those that it brings along the ones that this browser can draw. Called by the import dialogue.

import type { HostApi, QuestionBody, QuizUpload, Skipped } from '$sdk';

import type { ReadFile } from '../formats/formats.ts';

/** The file without pictures and sounds of other accounts, each with a line in the report. */
export async function withOwnMedia(file: ReadFile, api: Pick<HostApi, 'media'>): Promise<ReadFile> {
  const named = idsIn(file.quiz).filter((id) => !file.files?.has(id));
  if (named.length === 0) return file;
  const own = await ownIds(api);
  if (own === null) return file;
  return without(file, new Set(named.filter((id) => !own.has(id))), { reason: 'bad_media', params: {} });
}

/** The file without pictures that cannot be drawn, each with a line in the report. */
export async function withSoundPictures(file: ReadFile, isDrawn: (picture: Blob) => Promise<boolean>): Promise<ReadFile> {
  const broken = new Set<string>();
  for (const [id, content] of file.files ?? []) {
    const isPicture = content.type.startsWith('image/');
    if (isPicture && !(await isDrawn(content))) broken.add(id);
  }
  return without(file, broken, { reason: 'left_out', params: { what: 'media', count: 1 } });
}

function idsIn(quiz: QuizUpload | null): string[] {
  return quiz?.rounds.flatMap(({ questions }) => questions.flatMap(({ media }) => media?.id ?? [])) ?? [];
}

/** Null when the account cannot be asked: then the server refuses what is not its own. */
async function ownIds(api: Pick<HostApi, 'media'>): Promise<ReadonlySet<string> | null> {
  try {
    return new Set((await api.media()).media.map(({ id }) => id));
  } catch {
    return null;
  }
}

/** The file without these pictures and sounds. What was said of a question is said of what is left of it. */
function without(file: ReadFile, ids: ReadonlySet<string>, why: Pick<Skipped, 'reason' | 'params'>): ReadFile {
  if (!file.quiz || ids.size === 0) return file;
  const left = new Map<QuestionBody, QuestionBody>();
  const more: Skipped[] = [];
  const rounds = file.quiz.rounds.map((round, at) => ({
    ...round,
    questions: round.questions.map((question, number) => {
      if (!question.media || !ids.has(question.media.id)) return question;
      const { media: _media, ...body } = question;
      left.set(question, body);
      more.push({ at: null, round: at + 1, question: number + 1, excerpt: body.text.slice(0, 60), about: body, ...why, dropped: false });
      return body;
    }),
  }));
  const skipped = file.skipped
    .filter(({ reason, about }) => reason !== 'no_alt' || about === null || !left.has(about))
    .map((each) => ({ ...each, about: (each.about && left.get(each.about)) ?? each.about }));
  return { ...file, quiz: { ...file.quiz, rounds }, skipped: [...skipped, ...more] };
}
