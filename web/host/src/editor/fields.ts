// The fields of a question that are plain text, on one line or on several. This table contains everything that the editor knows about each
// field: its input, how it is read from a stored question and written into one, and the message when it is wrong. document.ts, body.ts,
// draft.ts, mistakes.ts, QuestionForm.svelte and import/skipwords.ts use this table: a new field is a new entry, and code without that
// entry does not compile.

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
  /** The types of questions that have it. */
  readonly has: (type: QuestionType) => boolean;
  readonly label: () => string;
  readonly inputmode: 'numeric' | 'decimal' | 'text';
  /** Whether it has several lines. */
  readonly isLong?: true;
  /** The button that unfolds it. Without one it is always shown. */
  readonly add?: () => string;
  /** The meaning of the empty input. `usual` are the usual points of the round, here and below. */
  readonly placeholder: (usual: number) => string;
  /** The content of the input for a stored question. */
  readonly read: (stored: QuestionBody, usual: number) => string;
  /** The stored value of a valid input. */
  readonly write: (typed: string, usual: number) => Partial<QuestionBody>;
  /** Whether an input that is not empty can be stored. */
  readonly isRight: (typed: string) => boolean;
  /** The message beside an input that cannot be stored. */
  readonly mistake: () => string;
  /** The remark about an imported question whose field was not taken unchanged. */
  readonly skipped: () => string;
}

const TIME = () => ({ least: count(LIMITS.timeLimitLeast), most: count(LIMITS.timeLimitMost) });

/** The message beside a time limit of a question or a round that cannot be stored. */
export const timeMistake = (): string => m.host_mistake_time(TIME());

/** The remark about an imported time limit. */
export const timeSkipped = (): string => m.host_skip_bad_time(TIME());

/** The stored time limit of a question or a round; nothing for an empty input. */
export function timeLimitBody(typed: string): { timeLimit?: number } {
  const timeLimit = secondsOf(typed);
  return timeLimit === null ? {} : { timeLimit };
}

/** The tags of a question or a quiz as typed, and whether the server accepts all of them. */
export const typedTags = (tags: readonly string[] = []): string => tags.join(', ');
export const areTags = (typed: string): boolean => fittingTags(tagsOf([typed])).length === tagsOf([typed]).length;

const TAGS = (): { many: string; most: string } => ({ many: count(LIMITS.tags), most: count(LIMITS.tag) });

/** The message beside tags of a question or a quiz that cannot be stored. */
export const tagsMistake = (): string => m.host_mistake_tags(TAGS());

/** A text of several lines, at most as long as a question. */
function longText(name: 'explanation' | 'hostNote', words: Pick<LineField, 'label' | 'placeholder' | 'add'>): LineField {
  const mistake = () => m.host_mistake_long_text({ most: count(LIMITS.text) });
  return {
    ...words,
    has: () => true,
    inputmode: 'text',
    isLong: true,
    read: (stored) => stored[name] ?? '',
    write: (typed) => (tidyText(typed) === '' ? {} : { [name]: tidyText(typed) }),
    isRight: (typed) => Array.from(tidyText(typed)).length <= LIMITS.text,
    mistake,
    skipped: mistake,
  };
}

/** The fields with other kinds of input; document.ts has each of them. */
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
  explanation: longText('explanation', {
    ...{ label: m.host_edit_explanation, add: m.host_edit_add_explanation },
    placeholder: m.host_edit_explanation_placeholder,
  }),
  hostNote: longText('hostNote', {
    ...{ label: m.host_edit_host_note, add: m.host_edit_add_note },
    placeholder: m.host_edit_host_note_placeholder,
  }),
  tags: {
    has: () => true,
    label: m.host_edit_tags,
    add: m.host_edit_add_tags,
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
} satisfies Record<Exclude<keyof QuestionBody, Others>, LineField>;

/** One of them. */
export type LineName = keyof typeof LINES;

/** All of them with their names. */
export const EACH_LINE = Object.entries(LINES) as [LineName, LineField][];

/** The fields of this type of question. */
export const linesOf = (type: QuestionType): [LineName, LineField][] => EACH_LINE.filter(([, { has }]) => has(type));

/** All fields empty. */
export const NO_LINES = Object.fromEntries(EACH_LINE.map(([name]) => [name, ''])) as Record<LineName, string>;
