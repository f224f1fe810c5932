// Additional guests without phones of their own, each with a socket from Node that answers released questions from its own list. They
// fill a room; what a guest sees is tested with phone.ts.

import { type OwnAnswers, Seat } from './seat.ts';

/** The answers of each guest, by question text; a question without an entry is not answered. */
export type Answers = Readonly<Record<string, OwnAnswers>>;

/** Guests whose sockets are all in this process. */
export class Guests {
  readonly #seats: readonly Seat[];

  private constructor(seats: readonly Seat[]) {
    this.#seats = seats;
  }

  /** Each of `guests` joins and opens a socket, in this order. */
  static async join(url: string, gameCode: string, guests: Answers): Promise<Guests> {
    const seats: Seat[] = [];
    for (const [name, answers] of Object.entries(guests)) seats.push(await Seat.take(url, gameCode, name, answers));
    return new Guests(seats);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const seat of this.#seats) await seat[Symbol.asyncDispose]();
  }
}
