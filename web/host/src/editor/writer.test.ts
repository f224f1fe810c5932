import { describe, expect, it } from 'vitest';

import { ApiError, NetworkError, type Quiz, type QuizBody, type QuizUpload } from '$sdk';

import { failureOf, type QuizApi, QuizWriter } from './writer.ts';

const quiz = (title: string): QuizBody => ({
  title,
  rounds: [{ title: '', questions: [{ text: 'x', type: 'text', correctAnswers: ['y'], points: 1000 }] }],
});

/** A server with quizzes; `lose` makes it perform the next request without an answer. */
class Server implements QuizApi {
  readonly stored = new Map<string, Quiz>();
  lose = false;
  #made = 0;

  quiz(id: string): Promise<Quiz> {
    const found = this.stored.get(id);
    return found ? Promise.resolve(found) : Promise.reject(new ApiError(404, { type: '/problems/not-found' }));
  }

  quizzes(): ReturnType<QuizApi['quizzes']> {
    const all = [...this.stored.values()];
    return Promise.resolve(all.map(({ id, title, updatedAt }) => ({ id, title, updatedAt, roundCount: 1, questionCount: 1 })));
  }

  createQuiz(body: QuizUpload): Promise<Quiz> {
    return this.#answer(this.put(`q${String(this.stored.size + 1)}`, body));
  }

  async replaceQuiz(id: string, body: QuizUpload): Promise<Quiz> {
    await this.quiz(id);
    return this.#answer(this.put(id, body));
  }

  put(id: string, body: QuizUpload): Quiz {
    this.#made += 1;
    const made = { ...body, id, createdAt: '', updatedAt: String(this.#made) };
    this.stored.set(id, made);
    return made;
  }

  #answer(made: Quiz): Promise<Quiz> {
    const lost = this.lose;
    this.lose = false;
    return lost ? Promise.reject(new NetworkError('no answer')) : Promise.resolve(made);
  }
}

function desk(id: string | null) {
  const server = new Server();
  const events: string[] = [];
  const writer = new QuizWriter(server, id, {
    created: (made) => events.push(`created ${made}`),
    replaced: (theirs) => events.push(`replaced ${theirs.title}`),
  });
  return { server, events, writer };
}

describe('QuizWriter', () => {
  it('creates once, then replaces', async () => {
    const { server, events, writer } = desk(null);
    await writer.write(quiz('a'));
    await writer.write(quiz('b'));
    expect(events).toEqual(['created q1']);
    expect([...server.stored.values()].map(({ title }) => title)).toEqual(['b']);
    expect(writer.has(quiz('b'))).toBe(true);
    expect(writer.has(quiz('a'))).toBe(false);
  });

  it('sends the report of an import only when it is given', async () => {
    const { server, writer } = desk(null);
    await writer.write(quiz('a'), ['Left out.']);
    expect(server.stored.get('q1')?.importReport).toEqual(['Left out.']);
    await writer.write(quiz('b'));
    expect(Object.keys(server.stored.get('q1') ?? {})).not.toContain('importReport');
    await writer.write(quiz('b'), []);
    expect(server.stored.get('q1')?.importReport).toEqual([]);
  });

  it('makes no second quiz when the answer to creating was lost', async () => {
    const { server, events, writer } = desk(null);
    server.put('old', quiz('a'));
    server.lose = true;
    await expect(writer.write(quiz('a'))).rejects.toBeInstanceOf(NetworkError);
    await writer.write(quiz('ab'));
    expect(events).toEqual(['created q2']);
    expect([...server.stored.entries()].map(([id, { title }]) => [id, title])).toEqual([
      ['old', 'a'],
      ['q2', 'ab'],
    ]);
  });

  it('says what it replaced when another tab had written', async () => {
    const { server, events, writer } = desk('q1');
    writer.began(server.put('q1', quiz('a')));
    await writer.write(quiz('b'));
    server.put('q1', quiz('theirs'));
    await writer.write(quiz('c'));
    expect(events).toEqual(['replaced theirs']);
    expect(server.stored.get('q1')?.title).toBe('c');
    await writer.write(quiz('d'));
    expect(events).toHaveLength(1);
  });

  it('does not take its own lost write for that of another tab', async () => {
    const { server, events, writer } = desk('q1');
    writer.began(server.put('q1', quiz('a')));
    server.lose = true;
    await expect(writer.write(quiz('b'))).rejects.toBeInstanceOf(NetworkError);
    await writer.write(quiz('c'));
    expect(events).toEqual([]);
    expect(server.stored.get('q1')?.title).toBe('c');
  });

  it('begins anew when the quiz was deleted', async () => {
    const { server, events, writer } = desk('q9');
    const error: unknown = await writer.write(quiz('a')).catch((failure: unknown) => failure);
    expect(failureOf(error)).toBe('gone');
    writer.beginAnew();
    await writer.write(quiz('a'));
    expect(events).toEqual(['created q1']);
    expect(server.stored.size).toBe(1);
  });
});

describe('failureOf', () => {
  it.each([
    [new NetworkError('x'), 'unreachable'],
    [new ApiError(503, {}), 'unreachable'],
    [new ApiError(429, {}), 'unreachable'],
    [new ApiError(401, {}), 'signed_out'],
    [new ApiError(404, {}), 'gone'],
    [new ApiError(409, { type: '/problems/too-many-quizzes' }), 'too_many'],
    [new ApiError(422, {}), 'refused'],
    [new Error('x'), 'refused'],
  ])('%s is %s', (error, why) => {
    expect(failureOf(error)).toBe(why);
  });
});
