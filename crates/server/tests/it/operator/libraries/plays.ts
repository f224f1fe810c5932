// A host and a player play one question with only the package. Run by the test in libraries.rs.
import { Api, HostApi, HostGame, newKey, PlayerGame } from 'quizhall-sdk';
import type { HostView, PlayerView } from 'quizhall-sdk';

declare const process: { env: Record<string, string | undefined> };
const base = process.env['QUIZHALL_URL'] ?? '';
const token = process.env['QUIZHALL_HOST_TOKEN'] ?? '';

interface Watched<View> {
  subscribe(run: (view: View) => void): () => void;
}

/** The first view that satisfies the condition. */
function view<View>(game: Watched<View>, fits: (view: View) => boolean): Promise<View> {
  return new Promise((resolve) => {
    game.subscribe((seen) => {
      if (fits(seen)) resolve(seen);
    });
  });
}

const api = new HostApi(base, token);
const question = { text: 'Two and two?', type: 'numeric' as const, correctAnswers: ['4'] };
const quiz = await api.createQuiz({ title: 'One question', rounds: [{ title: '', questions: [question] }] });
const { gameCode } = await api.createGame(quiz.id);
const player = new PlayerGame(await new Api(base).join(gameCode, 'Ann', newKey()), { base });
const host = new HostGame({ gameCode, token }, { base });

await view<HostView>(host, (seen) => seen.phase === 'lobby' && seen.connection.state === 'open');
await view<PlayerView>(player, (seen) => seen.connection.state === 'open');
host.startGame();
await view<HostView>(host, (seen) => seen.phase === 'question');
const id = quiz.rounds[0]?.questions[0]?.id ?? '';
host.releaseQuestion(id);
await view<PlayerView>(player, (seen) => seen.questions.length === 1);
player.submit(id, '4');
const answered = await view<PlayerView>(player, (seen) => seen.questions[0]?.state === 'stored');
console.log(`stored: ${answered.questions[0]?.storedAnswer ?? 'nothing'}`);
host.endRound();
await view<HostView>(host, (seen) => seen.review !== null);
host.releaseScores();
const scored = await view<PlayerView>(player, (seen) => seen.board.length === 1);
console.log(`${scored.board[0]?.displayName ?? ''}: ${String(scored.board[0]?.score ?? '')}`);
player.close();
host.close();
