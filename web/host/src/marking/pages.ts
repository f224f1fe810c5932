// Pages of answers, where the server has grouped the answers of a round. Pure but for the calls that it is given.

import type { AnswersPage, ReviewAnswer } from '$sdk';

/** Reads the page after so many answers: to all of a question, or of the group with a text. */
export type ReadPage = (text: string | null, skip: number) => Promise<AnswersPage>;

/** The answers of at most so many pages, one after the other. Answers may be removed meanwhile, so an empty page ends them too. */
export async function readPages(read: (skip: number) => Promise<AnswersPage>, pages: number): Promise<readonly ReviewAnswer[]> {
  const found: ReviewAnswer[] = [];
  for (let page = 0; page < pages; page += 1) {
    const { answers, total } = await read(found.length);
    found.push(...answers);
    if (answers.length === 0 || found.length >= total) break;
  }
  return found;
}
