// One HTTP call and its outcomes: an answer, a problem that the server names, or no answer. Used by Api and HostApi;
// never retries.

import type { Problem } from './generated/protocol.ts';

/** The server refused; `type` is stable, `detail` is for people (in English). */
export class ApiError extends Error implements Problem {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The last part of the problem's type: `name-taken` for `/problems/name-taken`; `about:blank` when there was no body. */
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  /** The field at fault, as a path into the body. */
  declare readonly field?: string;
  /** Seconds, from `Retry-After`. */
  declare readonly retryAfter?: number;

  constructor(status: number, problem: Partial<Problem>, retryAfter?: number) {
    super(problem.detail ?? problem.title ?? `HTTP ${String(status)}`);
    this.status = status;
    this.type = (problem.type ?? 'about:blank').replace(/^.*\/problems\//, '');
    this.title = problem.title ?? '';
    this.detail = problem.detail ?? '';
    if (problem.field !== undefined) this.field = problem.field;
    if (retryAfter !== undefined) this.retryAfter = retryAfter;
  }
}

/** No answer came: no network, no server, or it took too long. The request may have been carried out. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
}

/** A call, before it is sent. */
export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged. */
  readonly file?: Blob;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The part of `fetch` that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How long an answer may take. */
const TIMEOUT_MS = 15_000;
/** The same for a call with a file, which the server accepts for 25 s. */
const FILE_TIMEOUT_MS = 30_000;

/** Sends a call and reads the answer; throws ApiError or NetworkError. */
export async function send<Answer>(
  base: string,
  call: Call,
  read: (response: Response) => Promise<Answer>,
  fetcher: Fetch = (url, init) => fetch(url, init),
): Promise<Answer> {
  const headers: Record<string, string> = { Accept: 'application/json', ...call.headers };
  if (call.token !== undefined) headers.Authorization = `Bearer ${call.token}`;
  if (call.body !== undefined) headers['Content-Type'] = 'application/json';
  const stop = new AbortController();
  const timer = setTimeout(() => {
    stop.abort();
  }, call.file ? FILE_TIMEOUT_MS : TIMEOUT_MS);
  try {
    const response = await fetcher(base + call.path, {
      method: call.method ?? 'GET',
      headers,
      cache: 'no-store',
      credentials: 'omit',
      signal: stop.signal,
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      ...(call.file && { body: call.file }),
    });
    if (!response.ok) throw await problem(response);
    // Inside the try: half an answer, or the page of another service, counts as no answer.
    return await read(response);
  } catch (error) {
    throw error instanceof ApiError ? error : new NetworkError('no answer', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** An answer that is JSON. */
export function json<Answer>(response: Response): Promise<Answer> {
  return response.json() as Promise<Answer>;
}

async function problem(response: Response): Promise<ApiError> {
  const seconds = Number.parseInt(response.headers.get('Retry-After') ?? '', 10);
  let body: Partial<Problem> = {};
  try {
    const read: unknown = await response.json();
    if (typeof read === 'object' && read !== null) body = read;
  } catch {
    // A proxy's page, or no body: the status is enough.
  }
  return new ApiError(response.status, body, Number.isNaN(seconds) ? undefined : seconds);
}
