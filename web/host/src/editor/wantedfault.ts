// Which quiz is to be opened at its first thing to finish. A link elsewhere asks for it, and the editor of that quiz takes it once; opened
// in another tab, the link leads to the quiz.

let wanted: string | null = null;

/** The editor of this quiz, when it opens next, goes to its first thing to finish. */
export function openAtFault(quizId: string): void {
  wanted = quizId;
}

/** Whether this quiz was asked for; any editor that opens ends the request. */
export function takesFault(quizId: string): boolean {
  const isWanted = wanted === quizId;
  wanted = null;
  return isWanted;
}
