// Sentences that depend on a number, by the plural rules of the language. Used by compiled sentences, like sentence.ts.

import { fill, type Inputs, ofLanguage, spoken } from './sentence.ts';

/** The forms of one language by plural category; `other` is for all that are not there. `by` is what it counts instead. */
type Forms = Readonly<Record<string, string> & { other: string; by?: string }>;

function counted(type: Intl.PluralRuleType, input: string, languages: readonly Forms[]): (inputs: Inputs) => string {
  return (inputs) => {
    const forms = ofLanguage(languages);
    const rules = new Intl.PluralRules(spoken(), { type });
    return fill(forms[rules.select(Number(inputs[forms.by ?? input]))] ?? forms.other, inputs);
  };
}

/** A sentence with a count in it: 1 question, 2 questions. */
export function plural(input: string, ...languages: Forms[]): (inputs: Inputs) => string {
  return counted('cardinal', input, languages);
}

/** A sentence with a rank in it: 1st, 2nd. */
export function ordinal(input: string, ...languages: Forms[]): (inputs: Inputs) => string {
  return counted('ordinal', input, languages);
}
