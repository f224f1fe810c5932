// The common part of the forms that take a seat: one press at a time, the error with its field, and the wait that the server asked for.
// Used by Join and TakeSeat.

import { count, m } from '$words/language.svelte.ts';
import { tick } from 'svelte';

import { session } from './session.svelte.ts';
import type { Reason, Trouble } from './trouble.ts';
import { TROUBLE_WORDS } from './troublewords.ts';

/** One form. */
export class Joining {
  trouble = $state.raw<Trouble | null>(null);
  busy = $state.raw(false);
  /** The seconds that are left of the wait. */
  #wait = $state.raw(0);
  readonly #words: Partial<Record<Reason, () => string>>;

  /** `words` are the sentences that only this form can show. */
  constructor(words: Partial<Record<Reason, () => string>> = {}, trouble: Trouble | null = null) {
    this.#words = words;
    this.trouble = trouble;
  }

  /** The error of a field; null when there is none. */
  said(field: Trouble['field']): string | null {
    if (this.trouble?.field !== field) return null;
    const { reason } = this.trouble;
    if (reason !== 'wait') return (this.#words[reason] ?? session.teamForm?.words[reason] ?? TROUBLE_WORDS[reason] ?? m.play_error_server)();
    return this.#wait > 0 ? m.play_error_wait({ seconds: count(this.#wait) }) : m.play_error_wait_over();
  }

  /** Takes the seat unless something is `wrong`, and focuses the field with the error. */
  async send(event: SubmitEvent, wrong: () => Trouble | null, take: () => Promise<Trouble | null>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    if (this.busy || this.#wait > 0) return;
    this.trouble = wrong();
    if (!this.trouble) {
      this.busy = true;
      this.trouble = await take();
      this.busy = false;
    }
    if (!this.trouble) return;
    this.#await(this.trouble.seconds);
    await tick();
    const field = form.querySelector<HTMLElement>('[aria-invalid]');
    field?.focus();
    // Announced once, and not with every second of a wait.
    if (!field) session.say(this.said(this.trouble.field) ?? '');
  }

  #await(seconds: number): void {
    this.#wait = seconds;
    const clock = setInterval(() => {
      this.#wait -= 1;
      if (this.#wait <= 0) clearInterval(clock);
    }, 1_000);
  }
}
