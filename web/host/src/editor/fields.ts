// The fields of a question that are plain text, on one line or on several. This table has everything that the editor knows of each:
// its input, how it is read from a stored question and written into one, and the message when it is wrong. document.ts, body.ts,
// draft.ts, mistakes.ts, QuestionForm.svelte and import/skipwords.ts use this table: a new field is a new entry, and fails to compile without.

import { isMarked } from '$sdk/choices.ts';
import type { QuestionBody } from '$sdk/generated/protocol.ts';
import { LIMITS } from '$sdk/generated/limits.ts';
import { parseNumber } from '$sdk/number.ts';
import { tidyText } from '$sdk/quizcheck.ts';
import { fittingTags, tagsOf } from '$sdk/tags.ts';
import * as m from '$words/generated/messages.js';
import { count } from '$words/sentence.ts';

import type { QuestionType } from './document.ts';
import { MOST_POINTS, pointsOf, secondsOf } from './numbers.ts';

interface LineField {
  /** Which types of question have it. */
  readonly has: (type: QuestionType) => boolean;
  readonly label: () => string;
  readonly inputmode: 'numeric' | 'decimal' | 'text';
  /** Several lines, below the others. */
  readonly isLong?: true;
  /** What the empty input means. `usual` is what questions of the round are worth, here and below. */
  readonly placeholder: (usual: number) => string;
  /** What stands in the input for a stored question. */
  readonly read: (stored: QuestionBody, usual: number) => string;
  /** What is stored of an input that is right. */
  readonly write: (typed: string, usual: number) => Partial<QuestionBody>;
  /** Whether an input that is not empty can be stored. */
  readonly isRight: (typed: string) => boolean;
  /** What is said beside one that cannot. */
  readonly mistake: () => string;
  /** What is said of an imported question whose field was not taken as it was. */
  readonly skipped: () => string;
}

const TIME = () => ({ least: count(LIMITS.timeLimitLeast), most: count(LIMITS.timeLimitMost) });

/** What is said beside a time limit that cannot be stored, of a question or a round. */
export const timeMistake = (): string => m.host_mistake_time(TIME());

/** What is said of an imported one. */
export const timeSkipped = (): string => m.host_skip_bad_time(TIME());

/** The time limit as it is stored, of a question or a round; nothing for an empty input. */
export function timeLimitBody(typed: string): { timeLimit?: number } {
  const timeLimit = secondsOf(typed);
  return timeLimit === null ? {} : { timeLimit };
}

/** Tags as they are typed, and whether the server takes all of them; of a question or a quiz. */
export const typedTags = (tags: readonly string[] = []): string => tags.join(', ');
export const areTags = (typed: string): boolean => fittingTags(tagsOf([typed])).length === tagsOf([typed]).length;

const TAGS = (): { many: string; most: string } => ({ many: count(LIMITS.tags), most: count(LIMITS.tag) });

/** What is said beside tags that cannot be stored, of a question or a quiz. */
export const tagsMistake = (): string => m.host_mistake_tags(TAGS());

/** A text of several lines, as long as a question may be. */
function longText(name: 'explanation' | 'hostNote', label: () => string, placeholder: () => string): LineField {
  const mistake = () => m.host_mistake_long_text({ most: count(LIMITS.text) });
  return {
    has: () => true,
    label,
    inputmode: 'text',
    isLong: true,
    placeholder,
    read: (stored) => stored[name] ?? '',
    write: (typed) => (tidyText(typed) === '' ? {} : { [name]: tidyText(typed) }),
    isRight: (typed) => Array.from(tidyText(typed)).length <= LIMITS.text,
    mistake,
    skipped: mistake,
  };
}

/** The fields with an input of another kind; document.ts has them one by one. */
type Others = 'id' | 'text' | 'type' | 'choices' | 'correctAnswers' | 'media';

/** In the order of the form. */
export const LINES = {
  points: {
    has: isMarked,
    label: m.host_edit_points,
    inputmode: 'numeric',
    placeholder: String,
    read: ({ points }, usual) => String(points ?? usual),
    write: (typed, usual) => ({ points: pointsOf(typed) ?? usual }),
    isRight: (typed) => pointsOf(typed) !== null,
    mistake: () => m.host_mistake_points({ most: count(MOST_POINTS) }),
    skipped: () => m.host_skip_bad_points({ most: count(MOST_POINTS) }),
  },
  tolerance: {
    has: (type) => type === 'numeric',
    label: m.host_edit_tolerance,
    inputmode: 'decimal',
    placeholder: () => '0',
    read: ({ tolerance }) => (tolerance ? String(tolerance) : ''),
    write: (typed) => ({ tolerance: parseNumber(typed) ?? 0 }),
    isRight: (typed) => (parseNumber(typed) ?? -1) >= 0,
    mistake: m.host_mistake_tolerance,
    skipped: m.host_skip_bad_tolerance,
  },
  timeLimit: {
    has: () => true,
    label: m.host_edit_time,
    inputmode: 'numeric',
    placeholder: () => '–',
    read: ({ timeLimit }) => String(timeLimit ?? ''),
    write: (typed) => timeLimitBody(typed),
    isRight: (typed) => secondsOf(typed) !== null,
    mistake: timeMistake,
    skipped: timeSkipped,
  },
  tags: {
    has: () => true,
    label: m.host_edit_tags,
    inputmode: 'text',
    placeholder: m.host_edit_tags_placeholder,
    read: ({ tags }) => typedTags(tags),
    write: (typed) => {
      const tags = tagsOf([typed]);
      return tags.length > 0 ? { tags } : {};
    },
    isRight: areTags,
    mistake: tagsMistake,
    skipped: () => m.host_skip_bad_tags(TAGS()),
  },
  explanation: longText('explanation', m.host_edit_explanation, m.host_edit_explanation_placeholder),
  hostNote: longText('hostNote', m.host_edit_host_note, m.host_edit_host_note_placeholder),
} satisfies Record<Exclude<keyof QuestionBody, Others>, LineField>;

/** One of them. */
export type LineName = keyof typeof LINES;

/** All of them with their names. */
export const EACH_LINE = Object.entries(LINES) as [LineName, LineField][];

/** Those that this type of question has. */
export const linesOf = (type: QuestionType): [LineName, LineField][] => EACH_LINE.filter(([, { has }]) => has(type));

/** Nothing typed into any of them. */
export const NO_LINES = Object.fromEntries(EACH_LINE.map(([name]) => [name, ''])) as Record<LineName, string>;
