// Generated from crates/quiz by `make generate`. Do not edit: a test compares.

/** The limits of a quiz; lengths in code points. */
export const LIMITS = {
  alt: 300,
  answers: 50,
  choice: 300,
  choices: 20,
  folded: 3_072,
  points: 1_000_000,
  questions: 500,
  questionsPerRound: 100,
  rounds: 50,
  tag: 40,
  tags: 20,
  text: 2_000,
  timeLimitLeast: 5,
  timeLimitMost: 600,
  title: 200,
  together: 1_000,
  word: 40,
  wrongPointsMost: 1_000_000,
} as const;

/** The kinds of questions; a `type` on the wire may be one of a later version. */
export const QUESTION_KINDS = ["text", "multiple_choice", "true_false", "numeric", "multi_select", "order", "poll", "word_cloud", "nearest"] as const;

/** How a question is answered and marked. */
export type QuestionKind = (typeof QUESTION_KINDS)[number];
