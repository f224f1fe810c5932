// A guest without a page: a seat in the game and its socket, from Node. It fills a room for a small part of what a phone costs; what a
// guest sees is tested with phone.ts.

import { once } from 'node:events';

import { WebSocket } from 'ws';

import { join } from './api.ts';

/** The answers of one guest, by question text; a question without an entry is not answered. */
export type OwnAnswers = Readonly<Record<string, unknown>>;

/** One seat, which answers released questions from its own list. */
export class Seat {
  /** Each message that the server has sent, as its text, in order. */
  readonly frames: string[] = [];
  readonly #socket: WebSocket;

  private constructor(socket: WebSocket, answers: OwnAnswers) {
    this.#socket = socket;
    // The server may be killed by the test: a lost connection is no fault of the seat.
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => {
      const text = data.toString();
      this.frames.push(text);
      const { type, payload } = JSON.parse(text) as { type: string; payload: { question: { id: string; text: string } } };
      const answer = type === 'question_released' ? answers[payload.question.text] : undefined;
      if (answer !== undefined) this.say('submit_answer', { questionId: payload.question.id, answer });
    });
  }

  /** Joins under this name, for itself or in the team with this code, and opens the socket: of the plain interface, or of `quizhall.v1`, which
   * phones use. */
  static async take(
    url: string,
    gameCode: string,
    name: string,
    answers: OwnAnswers = {},
    { version = 'plain', teamCode }: { version?: 'plain' | 'v1'; teamCode?: string } = {},
  ): Promise<Seat> {
    const { sessionToken } = await join(url, gameCode, name, teamCode);
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/${gameCode}?token=${sessionToken}`, version === 'v1' ? ['quizhall.v1'] : []);
    const seat = new Seat(socket, answers);
    await once(socket, 'open');
    return seat;
  }

  /** Sends a message of a player. */
  say(type: string, payload: object): void {
    this.#socket.send(JSON.stringify({ type, payload }));
  }

  /** Closes the socket: its player is away from then on. */
  leave(): void {
    this.#socket.close();
  }

  /** Called at the end of the test. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#socket.terminate();
    return Promise.resolve();
  }
}
