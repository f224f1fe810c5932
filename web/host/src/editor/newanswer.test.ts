import { expect, it } from 'vitest';

import { checkedAnswers } from './newanswer.ts';

it('texts are stored trimmed, without empty ones', () => {
  expect(checkedAnswers({ type: 'text' }, [' Lima ', '', 'Ciudad de los Reyes'])).toEqual({ answers: ['Lima', 'Ciudad de los Reyes'] });
  expect(checkedAnswers({ type: 'text' }, [' ', ''])).toEqual({ fault: 'answer_missing' });
});

it('numbers are numbers, and the nearest has one', () => {
  expect(checkedAnswers({ type: 'numeric' }, ['six'])).toEqual({ fault: 'answer_not_number' });
  expect(checkedAnswers({ type: 'numeric' }, ['1,5'])).toEqual({ answers: ['1,5'] });
  expect(checkedAnswers({ type: 'nearest' }, ['12', '13'])).toEqual({ answers: ['12'] });
});

it('of choices, at least one is right', () => {
  const choices = ['Mars', 'Moon'];
  expect(checkedAnswers({ type: 'multiple_choice', choices }, ['Mars'])).toEqual({ answers: ['Mars'] });
  expect(checkedAnswers({ type: 'multi_select', choices }, [...choices])).toEqual({ answers: choices });
  expect(checkedAnswers({ type: 'multiple_choice', choices }, ['Sun'])).toEqual({ fault: 'choice_none_right' });
  expect(checkedAnswers({ type: 'true_false', choices: ['Wahr', 'Falsch'] }, ['Falsch'])).toEqual({ answers: ['Falsch'] });
});

it('an order is the choices in their right order', () => {
  expect(checkedAnswers({ type: 'order', choices: ['Rome', 'Oslo'] }, ['Oslo', 'Rome'])).toEqual({ answers: ['Oslo', 'Rome'] });
});
