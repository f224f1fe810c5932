// Generated from crates/protocol by `make generate`. Do not edit: a test compares.

/** Payload of `accept_answer`. */
export type AcceptAnswer = {
  /** A question released in this round. */
  questionId: string,
  /** The text of an answer, 1 to 1,000 characters; it may be one that no player gave. */
  text: string,
  /** Whether the key marks answers with this text as right from now on. */
  correct: boolean,
  /** Whether they earn half of the points of the question (additive; no effect with `correct`; absent: false). */
  half?: boolean,
};

/** Payload of `add_seat`. */
export type AddSeat = {
  /** As in `POST /join`. */
  displayName: string,
};

/** Payload of `add_time`. */
export type AddTime = {
  /** An open question of the current round; absent for the timer of the round. */
  questionId?: string,
  /** 1 to 600. */
  seconds: number,
};

/** Payload of `adjust_points`. */
export type AdjustPoints = {
  /** Whom. */
  playerId: string,
  /** The points, -1,000,000 to 1,000,000 and not 0. */
  points: number,
  /** The reason, at most 100 characters, which the player is shown with the scores (additive; none when absent). */
  reason?: string,
};

/** Points that the host gave a player by hand. */
export type Adjusted = {
  /** Their id, for `undo_adjustment`. */
  adjustmentId: string,
  /** The player's id. */
  playerId: string,
  /** The round, from 1, to which they belong. */
  round: number,
  /** The points; below 0 when they were taken away. */
  points: number,
  /** The reason; absent when there is none. */
  reason?: string,
  /** The co-host who gave them; absent when the host did. */
  givenBy?: string,
};

/** Points that the host gave a player by hand. */
export type AdjustmentResult = {
  /** Its id, as in `adjustments_update`. */
  adjustmentId: string,
  /** Who. */
  playerId: string,
  /** The player's name. */
  displayName: string,
  /** The points; below 0 when they were taken away. */
  points: number,
  /** The host's reason; absent when there is none. */
  reason?: string,
  /** The co-host who gave them; absent when the host did. */
  givenBy?: string,
};

/** Payload of `adjustments_update`. */
export type AdjustmentsUpdate = {
  /** They replace those that the client has; at most 500. */
  adjustments: Array<Adjusted>,
};

/** The body of `PUT /api/v1/games/{id}/spectators`. */
export type AllowSpectators = {
  /** Whether spectators may watch. */
  allowed: boolean,
};

/** Payload of `answer_accepted`. */
export type AnswerAccepted = {
  /** Which question. */
  questionId: string,
};

/** Payload of the host's `scoreboard_update`. */
export type AnswerCount = {
  /** Which question. */
  questionId: string,
  /** The number of players who have answered it; a changed answer does not count twice. */
  answerCount: number,
};

/** How one answer counts now. */
export type AnswerMark = {
  /** Whose answer. */
  playerId: string,
  /** Whether it counts as correct. */
  correct: boolean,
  /** The points that it earns although it does not count as correct; absent when none. */
  partialPoints?: number,
  /** Whether the host has decided how it counts; absent: false, as after an undo. */
  ruled?: boolean,
};

/** One player's answer. */
export type AnswerResult = {
  /** Who. */
  playerId: string,
  /** The player's name. */
  displayName: string,
  /** The answer as stored. */
  answer: string,
  /** Whether it counts. */
  correct: boolean,
  /** Whether the host overruled the marking, and did not change it back. */
  overridden: boolean,
  /** Whether it counts by a change of this game's key with `accept_answer` (additive; absent when not). Without this and `overridden` it counts by the key of the quiz. */
  byChangedKey?: boolean,
  /** The co-host who overruled the marking (additive; absent when the host did). */
  marker?: string,
  /** The points that it earns; they count once the round's scores are released. When `correct` is false: the points of a partly right answer, or, below 0, of a wrong one. */
  points: number,
  /** The part of `points` that it earns for a streak (additive; absent when none). */
  streakPoints?: number,
  /** The part of `points` that it earns for its speed (additive; absent when none). */
  speedPoints?: number,
  /** The part of `points` that it earns for the joker (additive; absent when none). */
  jokerPoints?: number,
  /** How long the player took, in milliseconds (additive; absent when speed earns no points). */
  elapsedMs?: number,
};

/** Payload of `answer_revealed`. */
export type AnswerRevealed = {
  /** The question's id. Any earlier `answer_revealed` of this question is void. */
  questionId: string,
  /** The first accepted answer; for `multi_select` and `order`, the right choices, one per line; empty when answers are not marked. */
  correctAnswer: string,
  /** The author's explanation, shown with the answer; absent when there is none. */
  explanation?: string,
  /** How many players gave each choice, in order; for `multiple_choice`, `true_false` and `poll`, absent for other types. */
  tally?: Array<TallyEntry>,
};

/** Payload of `answer_tie_break`. */
export type AnswerTieBreak = {
  /** A whole number of at most 1,000,000,000,000,000 with either sign. */
  number: number,
};

/** Payload of `answered_status`. */
export type AnsweredStatus = {
  /** The newest question of the round. */
  questionId: string,
  /** How many have answered it, from 1. */
  answered: number,
  /** Of how many: those who are connected, and those who answered and went. */
  of: number,
};

/** Which answers are asked for. */
export type AnswersAsked = {
  /** A question of the round under review. */
  questionId: string,
  /** One of the `texts` of a group in `review_groups`: only its answers. Absent: all answers to the question. */
  text?: string,
  /** How many answers to leave out; absent: none. */
  skip?: number,
};

/** Payload of `answers_entered`. */
export type AnswersEntered = {
  /** Each replaces the last one of this player and question. */
  answers: Array<ReviewAnswer>,
};

/** Payload of `answers_marked`. */
export type AnswersMarked = {
  /** Which question. */
  questionId: string,
  /** Every answer that the marking touched, as it counts now. Empty after `review_groups`, and while questions are open in a round of more than 5,000 answers. */
  marks: Array<AnswerMark>,
  /** The number of this part, from 1, when there are more than 1,000 marks. */
  part?: number,
  /** How many parts there are. */
  parts?: number,
};

/** A page of answers. */
export type AnswersPage = {
  /** At most 200, in order of arrival. */
  answers: Array<ReviewAnswer>,
  /** How many there are on all pages together. */
  total: number,
};

/** Payload of `answers_update`. */
export type AnswersUpdate = {
  /** Which question. */
  questionId: string,
  /** At most 500. Groups that are neither right nor ruled on come first; among them the largest first, then in the order of their texts. */
  groups: Array<GivenAnswers>,
  /** How many groups there are. */
  total: number,
};

/** Payload of `appeal`. */
export type Appeal = {
  /** A question of a round whose scores are released; the player need not have answered it. */
  questionId: string,
  /** At most 200 characters for the host (additive; none when absent). */
  text?: string,
};

/** The outcome of an appeal. */
export type AppealOutcome = "open" | "accepted" | "dismissed";

/** A player's appeal about the mark of an answer. */
export type AppealResult = {
  /** Who. */
  playerId: string,
  /** The player's name. */
  displayName: string,
  /** The player's reason; absent when there is none. */
  text?: string,
  /** Its outcome. */
  outcome: AppealOutcome,
};

/** Payload of `appeal_status`. */
export type AppealStatus = {
  /** In order of arrival. */
  appeals: Array<OwnAppeal>,
};

/** An appeal as the host sees it. */
export type Appealed = {
  /** The player's id. */
  playerId: string,
  /** The player's name. */
  displayName: string,
  /** The question's id. */
  questionId: string,
  /** The answer; empty when the player gave none. */
  answer: string,
  /** The player's reason; absent when there is none. */
  text?: string,
  /** Its outcome. */
  outcome: AppealOutcome,
};

/** Payload of `appeals_update`. */
export type AppealsUpdate = {
  /** Each replaces the last one of this player and question. */
  appeals: Array<Appealed>,
};

/** A game in which a question was asked. */
export type AskedIn = {
  /** The game. */
  gameId: string,
  /** The title of its quiz. */
  title: string,
  /** When the game was opened, RFC 3339, UTC. */
  createdAt: string,
  /** Players who were in the game when the round ended. */
  players: number,
  /** How many of them answered. */
  answered: number,
  /** How many answers are right; absent where answers are not marked. */
  right?: number,
};

/** Payload of `start_autopilot`; `autopilot_status` repeats it. */
export type AutopilotPlan = {
  /** Seconds for which a question without a time limit of its own is open, 5 to 600. */
  answerFor: number,
  /** Seconds for which the tally of a poll, an answer, or a picture without standings is shown, 5 to 600. */
  revealFor: number,
  /** Seconds before each question, and before the end of the round, 5 to 600. */
  breakFor: number,
  /** Whether the next step waits while the host is not connected. */
  holdWithoutHost: boolean,
  /** Seconds for which standings are shown, 5 to 600 (additive; absent: as `revealFor`). */
  standingsFor?: number,
  /** Whether the scores of a round wait until the host has decided about its texts: `waitsFor` of `step_update` (additive; absent: true). */
  holdForMarking?: boolean,
};

/** Payload of `autopilot_status`. */
export type AutopilotStatus = {
  /** The times that the host set; absent while no autopilot runs. */
  plan?: AutopilotPlan,
};

/** Payload of `autopilot_step`. */
export type AutopilotStep = {
  /** The next step. */
  next: NextStep,
  /** Milliseconds left when the message was made, at most 1,200,000. A client subtracts half of its round trip. */
  remainingMs: number,
  /** Whether the time runs: false while the autopilot waits for the host, or for marks. */
  running: boolean,
};

/** After which questions the standings are shown. */
export type BoardAfter = "question" | "third" | "section";

/** What would change for one player. */
export type BoardChange = {
  /** The player's id. */
  playerId: string,
  /** The player's name. */
  displayName: string,
  /** The score in `before`; 0 when the player is not there. */
  scoreBefore: number,
  /** The score in `after`; 0 when the player is not there. */
  scoreAfter: number,
  /** The rank in `before`; absent when the player is not there. */
  rankBefore?: number,
  /** The rank in `after`; absent when the player is not there. */
  rankAfter?: number,
};

/** Payload of `break_update`. */
export type BreakUpdate = {
  /** Milliseconds left when the message was made, at most 3,600,000; absent without a break. A client subtracts half of its round trip. */
  remainingMs?: number,
  /** The host's text, shown with the clock; absent when there is none. */
  text?: string,
};

/** The dependencies that are checked. */
export type Checks = {
  /** The relational database. */
  database: string,
  /** The cache store (always `ok` when it is in process). */
  cache: string,
};

/** Payload of `close_question`. */
export type CloseQuestion = {
  /** A question released in this round. */
  questionId: string,
};

/** A co-host who has a token. */
export type CoHost = {
  /** The co-host's id. */
  coHostId: string,
  /** What the co-host may do. */
  role: CoHostRole,
  /** The name that the host gave it. */
  label: string,
  /** RFC 3339, UTC. */
  addedAt: string,
};

/** The co-hosts of a game. */
export type CoHostList = {
  /** In order of adding. */
  coHosts: Array<CoHost>,
};

/** What a co-host may do. */
export type CoHostRole = "host" | "marker" | "moderator";

/** Payload of `correct_marks`: either `answers` or `playerIds`. */
export type CorrectMarks = {
  /** A question of a round whose scores are released. */
  questionId: string,
  /** 1 to 1,000 texts, each exactly as in the review; one that no player gave is ignored. */
  answers?: Array<string>,
  /** 1 to 1,000 players; a player who gave no answer gets an empty one with this mark. */
  playerIds?: Array<string>,
  /** Whether these answers count as right from now on. */
  correct: boolean,
  /** Whether they earn half of the points of the question (additive; no effect with `correct`; absent: false). */
  half?: boolean,
};

/** How answers count: either those with one of the `answers` as text, or those of `playerIds`. */
export type Correction = {
  /** A question whose scores are released, or one of the round under review. */
  questionId: string,
  /** 1 to 1,000 texts, each exactly as in the review or in the results; one that no player gave is ignored. */
  answers?: Array<string>,
  /** 1 to 1,000 players; one who gave no answer gets an empty one with this mark. */
  playerIds?: Array<string>,
  /** Whether these answers count as right; absent: they do not. */
  correct?: boolean,
  /** Whether they earn half of the points of the question; no effect with `correct`. */
  half?: boolean,
};

/** The answer of `POST /api/v1/me/tokens`. */
export type CreatedToken = {
  /** The token itself, which is not shown again. */
  token: string,
  /** Its entry in the list. */
  about: NamedToken,
};

/** The answer of `POST /api/v1/webhooks`. */
export type CreatedWebhook = {
  /** The new webhook. */
  webhook: Webhook,
  /** The key of its signatures, `whsec_` and base64. It is not shown again. */
  secret: string,
};

/** The co-host that owns a token, and its game. */
export type CurrentCoHost = {
  /** The co-host's id. */
  coHostId: string,
  /** The game. */
  gameId: string,
  /** Its code. */
  gameCode: string,
  /** What the co-host may do. */
  role: CoHostRole,
  /** The name that the host gave it. */
  label: string,
};

/** The answer of `GET /api/v1/sessions/current`: whose token this is. */
export type CurrentSession = {
  /** Whose session it is. */
  host: Host,
  /** When it ends (RFC 3339, UTC); absent for the fixed token of `QUIZHALL_HOST_TOKEN`, which does not end. */
  expiresAt?: string,
};

/** What became of a delivery. */
export type DeliveryState = "waiting" | "delivered" | "given_up";

/** Why an attempt had no answer. */
export type DeliveryTrouble = "no_answer" | "address_refused";

/** Payload of `dismiss_appeal`. */
export type DismissAppeal = {
  /** Whose appeal. */
  playerId: string,
  /** About which question. */
  questionId: string,
};

/** Payload of `edit_question`: at least one of `text`, `choices` and `accepted`. */
export type EditQuestion = {
  /** A question of the quiz. */
  questionId: string,
  /** 1 to 2,000 characters (absent: the text stays). */
  text?: string,
  /** The same number as the question has, 2 to 20 of 1 to 300 characters each (absent: they stay). */
  choices?: Array<string>,
  /** The accepted answers, as in a quiz; of a question with choices, texts of the choices as they are after the edit (additive; absent: they stay). */
  accepted?: Array<string>,
};

/** Payload of `enter_answer`. */
export type EnterAnswer = {
  /** A player without a phone. */
  playerId: string,
  /** A question released in this round. */
  questionId: string,
  /** As in `submit_answer`. */
  answer: string,
};

/** A question that a search found. */
export type FoundQuestion = {
  /** The quiz that it is in. */
  quizId: string,
  /** Title of that quiz. */
  quizTitle: string,
  /** The question, with its id. */
  question: QuestionBody,
};

/** The questions of a host that a search found: those of the newest quiz first, in the order of the quiz. */
export type FoundQuestions = {
  /** A page of them. */
  questions: Array<FoundQuestion>,
  /** The cursor of the next page; absent on the last one. */
  next?: string,
};

/** A game, for its owner. */
export type Game = {
  /** The game's id. */
  id: string,
  /** The quiz it was made from, which may be deleted or changed by now; absent for games of old versions. */
  quizId?: string,
  /** The code that players type: six symbols. */
  gameCode: string,
  /** The link that players open; it contains the code. */
  joinUrl: string,
  /** Title of the quiz. */
  title: string,
  /** `lobby`, `question`, `round_review`, `leaderboard` or `ended`. */
  phase: string,
  /** The current round, from 1. */
  currentRound: number,
  /** Whether new players are refused. */
  locked: boolean,
  /** Players who have joined. */
  playerCount: number,
  /** The frozen rounds with question ids and keys. */
  rounds: Array<RoundBody>,
  /** Questions released in the current round, in order. */
  released: Array<string>,
  /** Players who joined after the current round was closed and could not answer it; absent when there are none. */
  latecomers?: Array<string>,
  /** RFC 3339, UTC. */
  createdAt: string,
  /** `true` when the stored game is damaged: it cannot be opened, only deleted. Absent otherwise. */
  damaged?: boolean,
  /** Whether the game was created so that phones wait for the screen; absent when not. */
  phonesAfterScreen?: boolean,
  /** Whether the game was created so that names are checked on joining; absent when not. */
  cleanNames?: boolean,
  /** How several phones play as a team; absent when they do not. */
  teams?: Teams,
  /** Whether the quiz is sealed; absent when not. */
  sealed?: boolean,
  /** All options of the game as they are now, for another game like it; absent when it has none, and for a damaged game. */
  options?: PlayOptions,
};

/** The body of `PATCH /api/v1/games/{id}`. */
export type GameChange = {
  /** Whether the game is locked: it refuses new players (423), and players who joined stay. */
  locked: boolean,
};

/** Payload of `game_info`. */
export type GameInfo = {
  /** The quiz's title. */
  title: string,
};

/** The host's games, newest first. */
export type GameList = {
  /** At most the 1,000 newest, or a page of all. */
  games: Array<GameSummary>,
  /** The cursor of the next page; absent on the last page, and where no page was asked for. */
  next?: string,
};

/** A picture that the screen showed, and that differs from the one before in more than running times. */
export type GameMoment = {
  /** Its place, from 0. */
  index: number,
  /** When it was shown (RFC 3339, UTC); absent for a game that a version without times has stored. */
  at?: string,
  /** What the picture shows. */
  kind: MomentKind,
  /** The round, from 1; 0 in the lobby. */
  round: number,
  /** The question that the picture is about: the newest open one, the one whose answer is shown, or the one of the tally. */
  questionId?: string,
};

/** A line of the list of games. */
export type GameSummary = {
  /** The game's id. */
  id: string,
  /** The quiz it was made from, which may be deleted or changed by now; absent for games of old versions. */
  quizId?: string,
  /** Its code. */
  gameCode: string,
  /** Title of the quiz. */
  title: string,
  /** The phase: `lobby`, `question`, `round_review`, `leaderboard` or `ended`. */
  phase: string,
  /** RFC 3339, UTC. */
  createdAt: string,
  /** `true` when the stored game is damaged: it cannot be opened, only deleted. Absent otherwise. */
  damaged?: boolean,
};

/** Answers that the key does not distinguish. */
export type GivenAnswers = {
  /** The text as the first of these players wrote it. */
  text: string,
  /** The number of players who gave it. */
  count: number,
  /** Whether they count as right. */
  correct: boolean,
  /** The points that each earns although they do not count as right; absent when none. */
  partialPoints?: number,
  /** Whether they are wrong by the key of the quiz, but close to a right answer; absent: false. */
  nearMiss?: boolean,
  /** Whether the host has decided how this text counts; absent: false. */
  ruled?: boolean,
};

/** The answers to a question of the closed round in groups of those with the same meaning. */
export type GroupedAnswers = {
  /** How many answers there are, with the empty ones of players to whom the host gave points. */
  answers: number,
  /** How many of them count as correct. */
  right: number,
  /** For each choice of the question, how many answers name it; absent without choices. */
  taken?: Array<number>,
  /** How many groups wait for a decision: a near miss, or no number where one was asked for, without a ruling. */
  toCheck: number,
  /** How many groups there are. */
  total: number,
  /** With `part` the first 500 groups: those that wait come first, then larger ones. Without it those that changed; when there are more than 500 groups, the first 50 that wait as well. */
  groups: Array<ReviewGroup>,
};

/** 200 `{"status":"ok"}`, with `degraded` where that is allowed; 503 with a reason and each check's outcome. */
export type Health = {
  /** `ok` or `unavailable`. */
  status: string,
  /** Why it is unavailable: `database: timeout after 1s`. */
  reason?: string,
  /** `ok` or `down` for each dependency; absent when all is well. */
  checks?: Checks,
  /** The dependencies without which the service is ready nevertheless: `cache`, with the setting `READY_WITHOUT_CACHE`. */
  degraded?: Array<string>,
};

/** A host account. */
export type Host = {
  /** The account's id. */
  id: string,
  /** The account's name. */
  name: string,
};

/** A line of the list of accounts. */
export type HostAccount = {
  /** The account's id. */
  id: string,
  /** The account's name. */
  name: string,
  /** When it was created (RFC 3339, UTC). */
  createdAt: string,
  /** Whether signing in is refused. */
  disabled: boolean,
  /** What it may do. */
  role: HostRole,
  /** Quizzes it owns. */
  quizzes: number,
  /** Games it owns that are not deleted. */
  games: number,
};

/** The body of `PATCH /api/v1/hosts/{id}`: an absent field changes nothing. */
export type HostChange = {
  /** Its new name, 1 to 64 characters, unique without regard to case. */
  name?: string,
  /** `true`: signing in is refused from now on, and its sessions end at once. `false`: it can be signed in to again. */
  disabled?: boolean,
  /** What it may do from now on. */
  role?: HostRole,
};

/** The answer of `GET /api/v1/hosts`. */
export type HostList = {
  /** Every account, by name. */
  hosts: Array<HostAccount>,
};

/** What an account may do. */
export type HostRole = "host" | "owner";

/** Payload of `host_status`. */
export type HostStatus = {
  /** Whether the host has a socket; a gap of less than 5 s is not reported. */
  connected: boolean,
};

/** The body of `POST /api/v1/games/{id}/co-hosts`. */
export type InviteCoHost = {
  /** What the co-host may do. */
  role: CoHostRole,
  /** Its name, which the results show with its markings; the rules for player names apply. */
  label: string,
};

/** The options of a game that matter to a phone before it joins. */
export type JoinOptions = {
  /** The code, in upper case. */
  gameCode: string,
  /** How several phones play as a team; absent when they do not. */
  teams?: Teams,
};

/** The body of `POST /join`. */
export type JoinRequest = {
  /** The code the host shows, in any case. `code` is another name for this field. */
  gameCode: string,
  /** 1 to 40 characters, unique in the game; at most 96 code points and 256 bytes. With `teamCode` the name of the phone, unique in its team. */
  displayName: string,
  /** Whether this makes a team, which more phones can join, in a game that has teams; the name is the team's. Absent: false. */
  team?: boolean,
  /** The code of a team, in any case: this phone joins it. */
  teamCode?: string,
};

/** A player's place in the game, with the token that opens the socket. */
export type JoinResponse = {
  /** Presented on `/ws/{gameCode}`; valid until 24 h after the game. */
  sessionToken: string,
  /** The code, in upper case. */
  gameCode: string,
  /** The player's id; for a phone of a team the team's. */
  playerId: string,
  /** The name as the game shows it (trimmed, white space collapsed); for a phone that joined a team its own. */
  displayName: string,
  /** The code with which more phones of the team join: four symbols. Absent for a player who is not a team. */
  teamCode?: string,
  /** The id of this phone in its team. Absent for a player who is not a team. */
  deviceId?: string,
};

/** Payload of `joker_round`. */
export type JokerRound = {
  /** The round, from 1; absent while there is none. */
  round?: number,
};

/** Payload of `joker_update`. */
export type JokerUpdate = {
  /** The round, from 1, that the joker doubles; absent while it is not played. */
  round?: number,
};

/** Payload of the messages that carry a board. */
export type Leaderboard = {
  /** By rank, equal ranks by name. Whole up to 200 players; above that, the top 100 (and the player's own entry in a message to one player). To a player over `quizhall.v1`, whole up to 20 players; above that, the top ten (and, in a message to one player, the own entry with two above and two below it). */
  leaderboard: Array<LeaderboardEntry>,
  /** The number of entries on the whole board, when a player over `quizhall.v1` is sent only a part of it (additive). */
  total?: number,
};

/** A row of a board. */
export type LeaderboardEntry = {
  /** The player's id. */
  playerId: string,
  /** The player's name. */
  displayName: string,
  /** All points up to and including the last released round. */
  score: number,
  /** From 1; equal scores share a rank and the next rank is skipped (1, 2, 2, 4). Over `quizhall.v1` a tie-break gives them ranks of their own. */
  rank: number,
  /** Points of the last released round only (additive; in `round_leaderboard`). */
  roundScore?: number,
};

/** The table of a chain of games. */
export type League = {
  /** The games, each following the one before it: the requested game with those before and after it. */
  games: Array<LeagueGame>,
  /** By rank, then by name. */
  lines: Array<LeagueLine>,
};

/** A game of a league. */
export type LeagueGame = {
  /** The game's id. */
  gameId: string,
  /** Title of the quiz. */
  title: string,
  /** The phase: `lobby`, `question`, `round_review`, `leaderboard` or `ended`. */
  phase: string,
  /** RFC 3339, UTC. */
  createdAt: string,
};

/** A player, or a team, over all games. */
export type LeagueLine = {
  /** From 1; equal totals share a rank. */
  rank: number,
  /** The name in the last of the games that the player was in. */
  displayName: string,
  /** The points in each game; `null` where the player has no place on the board. */
  points: Array<number | null>,
  /** Their sum. */
  total: number,
};

/** Payload of `lobby_changed`. */
export type LobbyChanged = {
  /** Players who are now present, in order of joining; empty above 100 players. */
  joined?: Array<Player>,
  /** Players who are no longer present; empty above 100 players. */
  left?: Array<string>,
  /** How many players are present. */
  total: number,
};

/** Payload of `lobby_update`. */
export type LobbyUpdate = {
  /** The players who are present, in order of joining. Above 2,000, the 100 newest; to a player over `quizhall.v1`, above 100, the 20 newest. */
  players: Array<Player>,
  /** The number of players, when `players` does not list all of them (additive). */
  total?: number,
};

/** Payload of `lock_game`. */
export type LockGame = {
  /** Whether joining is refused from now on (423); players who joined stay. */
  locked: boolean,
};

/** Payload of `mark_answers`. */
export type MarkAnswers = {
  /** A question released in this round. */
  questionId: string,
  /** 1 to 1,000 texts, each exactly as in `round_review` or `review_groups`; one that no player gave is ignored. The whole message has at most 64 KiB. */
  answers: Array<string>,
  /** Whether these answers count as right from now on. */
  correct: boolean,
  /** Whether they earn half of the points of the question (additive; no effect with `correct`; absent: false). */
  half?: boolean,
  /** Whether each text stands for all answers of its group in `review_groups`, however they are spelled (additive; absent: false). */
  alike?: boolean,
};

/** Payload of `marking_update`. */
export type MarkingUpdate = {
  /** The number of markings that `undo_marking` can undo now. */
  undoable: number,
};

/** A file that was uploaded. */
export type Media = {
  /** Its id, which a question names. */
  id: string,
  /** Its media type, found by its first bytes. */
  type: string,
  /** Its length. */
  bytes: number,
};

/** An encrypted copy of a picture or a sound. */
export type MediaItem = {
  /** Its name. */
  name: string,
  /** Its length, which is padded. */
  bytes: number,
};

/** How a file is perceived. */
export type MediaKind = "picture" | "sound";

/** The host's files, newest first. */
export type MediaList = {
  /** All of them. */
  media: Array<MediaSummary>,
  /** Bytes of all of them. */
  bytes: number,
  /** The limit for the bytes of all of them. */
  limit: number,
};

/** Payload of `media_preload`. */
export type MediaPreload = {
  /** The game in the path of each copy, `/api/v1/games/{gameId}/media/{name}`. */
  gameId: string,
  /** The copies; their order says nothing about the order of the questions. Each is encrypted; its key comes with its question. */
  items: Array<MediaItem>,
};

/** A line of the list of files. */
export type MediaSummary = {
  /** Its id. */
  id: string,
  /** Its media type. */
  type: string,
  /** Its length. */
  bytes: number,
  /** RFC 3339, UTC. */
  createdAt: string,
  /** How many quizzes use it. */
  quizzes: number,
  /** How many kept games use it. */
  games: number,
};

/** What a picture shows. */
export type MomentKind = "lobby" | "round" | "question" | "marking" | "tally" | "answer" | "standings" | "next" | "podium" | "winner" | "tie_break" | "break" | "blank";

/** The moments of a game. */
export type MomentList = {
  /** In the order in which the screen showed them. */
  moments: Array<GameMoment>,
};

/** A token of the account for programs. */
export type NamedToken = {
  /** The token's id, by which it is revoked. */
  id: string,
  /** What it is for. */
  name: string,
  /** What it may do. */
  scopes: Array<TokenScope>,
  /** When it was made (RFC 3339, UTC). */
  createdAt: string,
  /** When it was last used, to about a minute (RFC 3339, UTC); absent when never. */
  lastUsedAt?: string,
};

/** The answer of `GET /api/v1/me/tokens`. */
export type NamedTokenList = {
  /** The newest first. */
  tokens: Array<NamedToken>,
};

/** A new co-host, with the link that works once. */
export type NewCoHost = {
  /** The co-host's id. */
  coHostId: string,
  /** What the co-host may do. */
  role: CoHostRole,
  /** The link that the co-host opens. The token is in the fragment, which browsers send to no server. */
  url: string,
};

/** The body of `POST /api/v1/games`: start a game with a frozen copy of a quiz. */
export type NewGame = {
  /** Which quiz. */
  quizId: string,
  /** The previous game in the same room: its players and screens may take places of the same names (`POST /api/v1/seats/next`). */
  follows?: string,
  /** Whether the quiz is sealed: a hash of its questions and keys is public from the lobby on, and proves afterwards which questions were played and how the answers were marked (docs/sealed.md). It cannot be changed later. Absent: false. */
  sealed?: boolean,
  /** Whether a round of the game is a round of the quiz or one of its questions. Absent: `round`. */
  pace?: Pace,
  /** After which questions the standings are shown; only with pace `question`. Absent: `question`. Where phones wait for the screen, they get their results with the standings, which therefore follow every question. */
  boardAfter?: BoardAfter,
  /** 5 to 600: the time limit, in seconds, of each question for which neither the question nor its round has one. Absent: none. */
  answerSeconds?: number,
  /** Whether a question closes a second after every player who is connected has answered it; players without a phone are not waited for. Absent: false. */
  closeWhenAnswered?: boolean,
  /** Whether questions whose answers a person has to judge do not wait for marks; only with pace `question`. Absent: false. */
  markLater?: boolean,
  /** The autopilot that begins with the game. Absent: none. */
  autopilot?: AutopilotPlan,
  /** Whether every round counts speed (`speedPoints` of a round), whatever the quiz says. Absent: false. */
  speedPoints?: boolean,
  /** Whether every round counts streaks (`streaks` of a round), whatever the quiz says. Absent: false. */
  streaks?: boolean,
  /** Whether phones over `quizhall.v1` receive no scores of a round until the host shows them (`show_standings`); `false` when absent. */
  phonesAfterScreen?: boolean,
  /** Whether joining is refused (422) with a name that a word list marks as obscene, sexual or a slur; names that the host gives are not checked. Absent: false. */
  cleanNames?: boolean,
  /** Whether several phones can play as a team, and how; absent when each player has one phone. */
  teams?: Teams,
};

/** The body of `POST /api/v1/hosts`: a new account. */
export type NewHost = {
  /** Account name, 1 to 64 characters, unique without regard to case. */
  name: string,
  /** 8 to 256 characters, at most 1,024 bytes. */
  password: string,
  /** The token of the one-time set-up link, for the first account; later accounts are created by an owner. */
  setupToken?: string,
  /** What it may do; absent: `host`. The account of the set-up link is always an `owner`. */
  role?: HostRole,
};

/** A code for a screen to show, and the token with which the screen asks for its link. */
export type NewPairing = {
  /** The code that the host types: six symbols. */
  code: string,
  /** The bearer token for asking whether a host has typed it. */
  secret: string,
  /** The number of seconds until the code expires. */
  expiresIn: number,
};

/** A new screen, with the link that opens it once. */
export type NewScreen = {
  /** The screen's id. */
  screenId: string,
  /** The link that the screen opens. The token is in the fragment, which browsers send to no server. */
  url: string,
};

/** A code with which another phone can take a seat, once. */
export type NewSeatCode = {
  /** The code to type on the other phone: six symbols. */
  seatCode: string,
  /** The link that the other phone can open instead. The code is in the fragment, which browsers send to no server. */
  url: string,
  /** The number of seconds until the code expires. */
  expiresIn: number,
};

/** The answer of `POST /api/v1/webhooks/{id}/secret`. */
export type NewSecret = {
  /** The key of the signatures from now on, `whsec_` and base64. It is not shown again. */
  secret: string,
  /** Until when deliveries are signed with the key before as well (RFC 3339, UTC). */
  previousUntil: string,
};

/** The body of `POST /api/v1/me/tokens`. */
export type NewToken = {
  /** What it is for: 1 to 64 characters. */
  name: string,
  /** At least one. */
  scopes: Array<TokenScope>,
};

/** The body of `POST /api/v1/webhooks`. */
export type NewWebhook = {
  /** The URL for deliveries: https, on a host that the settings allow; at most 2,048 bytes. */
  url: string,
  /** At least one. */
  events: Array<WebhookEvent>,
};

/** Payload of `next`. */
export type Next = {
  /** The number of the step, from the last `step_update`. */
  number: number,
};

/** The next step of the autopilot. */
export type NextStep = "release" | "tally" | "end_round" | "reveal_answer" | "release_scores" | "show" | "end_tie_break" | "show_standings" | "start_next_round" | "end_game";

/** A process of the service, as it last reported itself. */
export type Node = {
  /** Its incarnation: a new id after every start, and after the others considered it dead. */
  id: string,
  /** Its name, `NODE_NAME`. */
  name: string,
  /** Its version. */
  version: string,
  /** Whole seconds since it started. */
  upSeconds: number,
  /** Milliseconds since its last renewal, by the database's clock. */
  lastSeenMs: number,
  /** Games it owns. */
  games: number,
  /** Sockets attached to it. */
  sockets: number,
  /** Milliseconds that a frame to itself takes over the bus; absent while the bus does not work, or there is none. */
  busLagMs?: number,
  /** Whether it is given no games: it is stopping, or an operator drains it. */
  draining: boolean,
  /** Whether an operator drains it: it owns no games, and serves its sockets; absent when not. */
  drained?: boolean,
  /** The place that it shares with other nodes, `NODE_ZONE`; absent when there is none. */
  zone?: string,
  /** Thousandths of a core that it used lately; absent when it does not report them. */
  busyMillicores?: number,
  /** Whether it answered this request. */
  self: boolean,
};

/** The answer of `GET /api/v1/nodes`, oldest first. */
export type NodeList = {
  /** Every process in the list; without other processes, only the one that answers. */
  nodes: Array<Node>,
};

/** A sign-in with an OpenID Connect provider that has begun. */
export type OidcAttempt = {
  /** The address that the browser opens. */
  url: string,
  /** A secret that the browser keeps, and presents when it returns from the provider. */
  verifier: string,
};

/** The body of `POST /api/v1/oidc/sessions`: a browser that returns from the provider. */
export type OidcSignIn = {
  /** The value that the provider sent. */
  state: string,
  /** The value that the provider sent. */
  code: string,
  /** The verifier that the browser kept. */
  verifier: string,
};

/** Payload of `open_desk`. */
export type OpenDesk = {
  /** Whether this socket receives `answers_update` from now on. */
  open: boolean,
};

/** Payload of `override_answer`. */
export type OverrideAnswer = {
  /** Whose answer. */
  playerId: string,
  /** The id of a released question. */
  questionId: string,
  /** Whether it counts as right from now on. */
  correct: boolean,
};

/** Payload of `override_applied`: the fields that the host sent, now in force. */
export type OverrideApplied = {
  /** Whose answer. */
  playerId: string,
  /** The question's id. */
  questionId: string,
  /** Whether it counts as right now. */
  correct: boolean,
};

/** The answer of `GET /api/v1/me`. */
export type OwnAccount = {
  /** The account's id. */
  id: string,
  /** The account's name. */
  name: string,
  /** What it may do. */
  role: HostRole,
  /** When it was created (RFC 3339, UTC). */
  createdAt: string,
  /** Whether it has a password to sign in with. */
  password: boolean,
  /** Whether it signs in with an OpenID Connect provider. */
  oidc: boolean,
  /** Whether the settings of the service allow webhooks. */
  webhooks: boolean,
};

/** A player's own answer. */
export type OwnAnswer = {
  /** The answer; empty when the player gave none. */
  answer: string,
  /** Whether it counts as right. */
  correct: boolean,
  /** The points that it earned. */
  points: number,
};

/** An appeal as its player sees it. */
export type OwnAppeal = {
  /** The question's id. */
  questionId: string,
  /** Its outcome. */
  outcome: AppealOutcome,
};

/** How the proof of a game names a player. */
export type OwnRef = {
  /** `ref` of the player in the proof, 64 hexadecimal digits. */
  ref: string,
};

/** A session of the account. */
export type OwnSession = {
  /** When it began (RFC 3339, UTC). */
  createdAt: string,
  /** When it ends (RFC 3339, UTC). */
  expiresAt: string,
  /** Whether it is the session of the request. */
  current: boolean,
};

/** The answer of `GET /api/v1/me/sessions`. */
export type OwnSessionList = {
  /** The newest first. */
  sessions: Array<OwnSession>,
};

/** Whether a round of a game is a round of the quiz. */
export type Pace = "round" | "question";

/** The body of `POST /api/v1/games/{id}/screens/pair`. */
export type PairScreen = {
  /** The code that the screen shows. */
  code: string,
};

/** The screen that was put into the game. */
export type PairedScreen = {
  /** The screen's id. It is in the list once the screen has asked again. */
  screenId: string,
};

/** The state of a code. */
export type Pairing = {
  /** The link of the screen; absent until a host has typed the code. */
  url?: string,
};

/** The body of `POST /api/v1/me/password`. */
export type PasswordUpdate = {
  /** The current password. */
  oldPassword: string,
  /** The new password: 8 to 256 characters, at most 1,024 bytes. */
  newPassword: string,
};

/** The phases of a game, in the order of play. */
export type Phase = "lobby" | "question" | "round_review" | "leaderboard" | "ended";

/** All options of a game, and the body of `PUT /api/v1/games/{id}/options`. */
export type PlayOptions = {
  /** Whether a round of the game is a round of the quiz or one of its questions. Absent: `round`. */
  pace?: Pace,
  /** After which questions the standings are shown; only with pace `question`. Absent: `question`. Where phones wait for the screen, they get their results with the standings, which therefore follow every question. */
  boardAfter?: BoardAfter,
  /** 5 to 600: the time limit, in seconds, of each question for which neither the question nor its round has one. Absent: none. */
  answerSeconds?: number,
  /** Whether a question closes a second after every player who is connected has answered it; players without a phone are not waited for. Absent: false. */
  closeWhenAnswered?: boolean,
  /** Whether questions whose answers a person has to judge do not wait for marks; only with pace `question`. Absent: false. */
  markLater?: boolean,
  /** The autopilot that begins with the game. Absent: none. */
  autopilot?: AutopilotPlan,
  /** Whether every round counts speed (`speedPoints` of a round), whatever the quiz says. Absent: false. */
  speedPoints?: boolean,
  /** Whether every round counts streaks (`streaks` of a round), whatever the quiz says. Absent: false. */
  streaks?: boolean,
  /** Whether phones over `quizhall.v1` receive no scores of a round until the host shows them (`show_standings`); `false` when absent. */
  phonesAfterScreen?: boolean,
  /** Whether joining is refused (422) with a name that a word list marks as obscene, sexual or a slur; names that the host gives are not checked. Absent: false. */
  cleanNames?: boolean,
  /** Whether several phones can play as a team, and how; absent when each player has one phone. */
  teams?: Teams,
};

/** A player in the lobby list. */
export type Player = {
  /** The player's id. */
  id: string,
  /** The name as the player gave it. */
  displayName: string,
};

/** The answer of `GET /api/v1/games/{id}/players`. */
export type PlayerList = {
  /** Every player, in order of joining. */
  players: Array<Player>,
};

/** Whether a player is here. */
export type PlayerStatus = "connected" | "disconnected" | "gone";

/** Payload of `players_answered`. */
export type PlayersAnswered = {
  /** Which question. */
  questionId: string,
  /** The players who have answered it, in addition to those of earlier messages. Never sent while the game has more than 2,000 players. */
  playerIds: Array<string>,
};

/** Points that the host gave by hand, as their player sees them. */
export type PointsByHand = {
  /** The points; below 0 when they were taken away. */
  points: number,
  /** The host's reason; absent when there is none. */
  reason?: string,
};

/** An error, for people and programs; it never echoes input. */
export type Problem = {
  /** A stable name of the kind of problem: `/problems/name-taken`. */
  type: string,
  /** The kind in words. */
  title: string,
  /** The HTTP status. */
  status: number,
  /** What to do about this one. */
  detail: string,
  /** The field at fault, as a path into the body (`rounds[0].questions[2].choices`), where there is one. */
  field?: string,
};

/** A question as released to participants; never with its correct answer. */
export type Question = {
  /** The question's id. */
  id: string,
  /** The text of the question. */
  text: string,
  /** `text`, `multiple_choice`, `true_false` or `numeric`, with `quizhall.v1` also `multi_select`, `order`, `poll`, `word_cloud` or `nearest`; treat an unknown type as `text`. */
  type: string,
  /** The choices in the order to show; absent for types without choices. An answer is the text of a choice; several choices are written one per line. */
  choices?: Array<string>,
  /** Points for a correct answer, 0 to 1,000,000. */
  points: number,
  /** Its picture or its sound; only over `quizhall.v1`. */
  media?: ReleasedMedia,
  /** Whether an earlier right answer earns more; only over `quizhall.v1`. Absent: false. */
  speedPoints?: boolean,
};

/** A question with its key; shown only to the quiz's owner. */
export type QuestionBody = {
  /** Identifies the question in its history. The server keeps the id that a client sends, and gives one to a question without an id and to one with the id of an earlier question of the quiz. */
  id?: string,
  /** 1 to 2,000 characters. */
  text: string,
  /** `text`, `multiple_choice`, `true_false`, `numeric`, `multi_select`, `order`, `poll`, `word_cloud` or `nearest`. */
  type: string,
  /** 2 to 20 choices of 1 to 300 characters (`multiple_choice`, `multi_select`, `order`, `poll`), in the order shown; of `multi_select` and `order` at most 1,000 characters in all. `true_false` has `True` and `False` unless it names two others. */
  choices?: Array<string>,
  /** 1 to 50 accepted answers; the first is the one that is shown. A number is read as players write it: `1,665` is 1665 and 1.665, except when `tolerance` exceeds the smaller one. For `multi_select` the right choices, for `order` every choice in the right order; for `nearest` one number. `poll` and `word_cloud` have none, and the field may be left out. */
  correctAnswers: Array<string>,
  /** 0 to 1,000,000; 1,000 when absent. Of `poll` and `word_cloud` 0. */
  points?: number,
  /** `numeric` only: how far off an answer may be; 0 when absent. */
  tolerance?: number,
  /** A picture or a sound, shown or played with the question. */
  media?: QuestionMedia,
  /** 5 to 600: after how many seconds the question closes by itself, counted from its release. Absent: only with the round. */
  timeLimit?: number,
  /** Up to 20 tags of 1 to 40 characters without a comma, each once; absent when there are none. */
  tags?: Array<string>,
  /** 1 to 2,000 characters, shown with the right answer once that is revealed, and in results. */
  explanation?: string,
  /** 1 to 2,000 characters that only the host is shown. */
  hostNote?: string,
};

/** Payload of `question_closed`. */
export type QuestionClosed = {
  /** The question that takes no more answers. */
  questionId: string,
};

/** Payload of `question_edited`. */
export type QuestionEdited = {
  /** The question's id. */
  questionId: string,
  /** Its text now. */
  text: string,
  /** Its choices now, as in `question_released`; absent when it has none. */
  choices?: Array<string>,
  /** Its accepted answers now. Only hosts receive them, and only before the release (additive). */
  accepted?: Array<string>,
  /** Whether its text was edited after its release. */
  corrected: boolean,
};

/** The games in which a question was asked. */
export type QuestionHistory = {
  /** The question. */
  questionId: string,
  /** The games, newest first. */
  games: Array<AskedIn>,
};

/** A file that belongs to a question, in the log and in the HTTP API. */
export type QuestionMedia = {
  /** The file, as `POST /api/v1/media` named it; one of the quiz's owner. */
  id: string,
  /** `picture` or `sound`, which the file must be. */
  kind: MediaKind,
  /** The alternative text, 1 to 300 characters; a sound may have none. */
  alt?: string,
  /** Its media type. Given by the server; ignored in what a client sends. */
  type?: string,
  /** Its length. Given by the server; ignored in what a client sends. */
  bytes?: number,
  /** Width of a picture in pixels, if its file states it. Given by the server; ignored in what a client sends. */
  width?: number,
  /** Its height, likewise. */
  height?: number,
};

/** Payload of `question_released`. */
export type QuestionReleased = {
  /** The question, without its correct answer. */
  question: Question,
};

/** A player's result for one question. */
export type QuestionResult = {
  /** Which question. */
  questionId: string,
  /** Its text. */
  question: string,
  /** The player's answer; empty when the player gave none. */
  yourAnswer: string,
  /** The first accepted answer; for `multi_select` and `order`, the right choices, one per line; empty when answers are not marked. */
  correctAnswer: string,
  /** Whether the answer counted as correct. */
  correct: boolean,
  /** The points the player got. When `correct` is false: the points of a partly right answer, or, below 0, of a wrong one (`wrongPoints`). */
  points: number,
  /** The part of `points` that the answer earned for a streak (additive, with `quizhall.v1` only; absent when none). */
  streakPoints?: number,
  /** The part of `points` that the answer earned for its speed (additive, with `quizhall.v1` only; absent when none). */
  speedPoints?: number,
  /** The part of `points` that the answer earned for the joker (additive, with `quizhall.v1` only; absent when none). */
  jokerPoints?: number,
};

/** The answers to one question. */
export type QuestionResults = {
  /** The question's id. */
  questionId: string,
  /** The text of the question. */
  text: string,
  /** The question's type. */
  type: string,
  /** The first accepted answer; for `multi_select` and `order`, the right choices, one per line; empty when answers are not marked. */
  correctAnswer: string,
  /** Points for a correct answer. */
  points: number,
  /** The number of players who could answer, without players who joined after the round was closed (additive). */
  players?: number,
  /** One entry per player who answered, in order of arrival. */
  answers: Array<AnswerResult>,
  /** The author's explanation, shown with the right answer; absent when there is none (additive). */
  explanation?: string,
  /** Whether its text was edited after its release (additive; absent when not). */
  corrected?: boolean,
  /** Whether the host withdrew it: its answers earn nothing (additive; absent when not). */
  withdrawn?: boolean,
  /** The appeals about it, by order of joining (additive; absent when none). */
  appeals?: Array<AppealResult>,
};

/** Payload of `question_withdrawn`. */
export type QuestionWithdrawn = {
  /** The question's id. */
  questionId: string,
};

/** A stored quiz. */
export type Quiz = {
  /** The quiz's id. */
  id: string,
  /** Title. */
  title: string,
  /** Rounds, with the ids of their questions. */
  rounds: Array<RoundBody>,
  /** What an import left out and why; absent when there is no report. */
  importReport?: Array<string>,
  /** Its tags; absent when there are none. */
  tags?: Array<string>,
  /** RFC 3339, UTC. */
  createdAt: string,
  /** RFC 3339, UTC. */
  updatedAt: string,
};

/** A quiz as its author writes it; also the format of `quizhall quiz import|export`. */
export type QuizBody = {
  /** 1 to 200 characters. */
  title: string,
  /** 1 to 50 rounds, together at most 500 questions. */
  rounds: Array<RoundBody>,
};

/** When the questions of a quiz were asked, in games that have ended. */
export type QuizHistory = {
  /** The questions that were asked at least once. */
  questions: Array<QuestionHistory>,
  /** Ended games of the account that are not counted yet; the next request counts more of them. Absent when there are none. */
  pending?: number,
};

/** The host's quizzes, newest change first. */
export type QuizList = {
  /** All of them, or a page. */
  quizzes: Array<QuizSummary>,
  /** The cursor of the next page; absent on the last page, and where no page was asked for. */
  next?: string,
};

/** A line of the list of quizzes. */
export type QuizSummary = {
  /** The quiz's id. */
  id: string,
  /** Title. */
  title: string,
  /** How many rounds. */
  roundCount: number,
  /** How many questions in all rounds. */
  questionCount: number,
  /** RFC 3339, UTC. */
  updatedAt: string,
  /** When its newest game that was started was opened (RFC 3339, UTC); absent when it was never played. */
  lastPlayedAt?: string,
  /** Its tags; absent when there are none. */
  tags?: Array<string>,
};

/** A quiz with further data. */
export type QuizUpload = {
  /** 1 to 200 characters. */
  title: string,
  /** 1 to 50 rounds, together at most 500 questions. */
  rounds: Array<RoundBody>,
  /** What an import left out and why: at most 200 lines of 1 to 200 characters. An empty list removes the report; when a quiz is replaced without it, the report stays. */
  importReport?: Array<string>,
  /** Up to 20 tags of 1 to 40 characters without a comma, each once. When a quiz is replaced without them, its tags stay. */
  tags?: Array<string>,
};

/** Payload of `release_question`. */
export type ReleaseQuestion = {
  /** A question of the current round. */
  questionId: string,
};

/** The picture or the sound of a released question, with the key to the copy that was loaded ahead. */
export type ReleasedMedia = {
  /** The name of the copy in `media_preload`. */
  name: string,
  /** The key of the copy, 64 hexadecimal digits. */
  key: string,
  /** `picture` or `sound`; ignore a medium of another kind. */
  kind: MediaKind,
  /** The media type of the file. */
  type: string,
  /** Length of the file; the rest of the copy is zeros. */
  bytes: number,
  /** The text to show when the file cannot be shown; may be empty for a sound. */
  alt: string,
  /** The game whose copy it is: for a client that has no `media_preload`, as none is sent once the round is over. */
  gameId?: string,
  /** Width of a picture in pixels, where the file says it. */
  width?: number,
  /** Its height, likewise. */
  height?: number,
};

/** Payload of `remove_player`. */
export type RemovePlayer = {
  /** Whom. */
  playerId: string,
  /** Whether the phone is refused when it joins again with its old token or idempotency key (additive; absent: false). */
  ban?: boolean,
};

/** Payload of `rename_player`. */
export type RenamePlayer = {
  /** Whom. */
  playerId: string,
  /** As in `POST /join`. */
  displayName: string,
};

/** The results of a game so far. The board counts released rounds; answers are listed for every round played. */
export type Results = {
  /** The game's id. */
  gameId: string,
  /** Its code. */
  gameCode: string,
  /** Title of the quiz. */
  title: string,
  /** The phase: `lobby`, `question`, `round_review`, `leaderboard` or `ended`. */
  phase: string,
  /** The standing, whole. */
  leaderboard: Array<LeaderboardEntry>,
  /** Rounds played. */
  rounds: Array<RoundResults>,
  /** Whether a results link of the game is valid; absent when there is none (additive). */
  shared?: boolean,
};

/** A results link. */
export type ResultsLink = {
  /** The page with the released results; the token is in the fragment. */
  url: string,
  /** Whether it also gives the proof once the game has ended; absent when not. */
  proof?: boolean,
  /** Whether it also shows the replay once the game has ended (additive; absent when not). */
  replay?: boolean,
};

/** Payload of `reveal_answer`. */
export type RevealAnswer = {
  /** A question released in this round. */
  questionId: string,
};

/** An answer as the host reviews it. */
export type ReviewAnswer = {
  /** The player's id. */
  playerId: string,
  /** The player's name. */
  displayName: string,
  /** Which question. */
  questionId: string,
  /** The answer as given. */
  answer: string,
  /** Whether it counts as correct now, including overrides. */
  correct: boolean,
  /** Whether it is marked wrong but close to an accepted answer (additive; absent: false). */
  nearMiss?: boolean,
  /** The points that it earns although it does not count as correct (additive, with `quizhall.v1` only; absent when none). */
  partialPoints?: number,
  /** How long the player took, in milliseconds (additive, with `quizhall.v1` only; absent when speed earns no points). */
  elapsedMs?: number,
  /** Whether the host has decided how it counts (additive, with `quizhall.v1` only; absent: false). */
  ruled?: boolean,
};

/** Answers with the same meaning. */
export type ReviewGroup = {
  /** What they have in common. Unique in a question; a newer group with the same key replaces the one before. */
  key: string,
  /** At most 7 spellings, the most frequent first; empty for a group that no longer has answers. */
  texts: Array<string>,
  /** How many players gave it; 0 for a group that no longer has answers. */
  count: number,
  /** How many of them count as correct (absent: none). */
  right?: number,
  /** How many of them earn a part of the points (absent: none). */
  partial?: number,
  /** The most points that one of those earns; absent when none. */
  partialPoints?: number,
  /** Whether they are wrong by the key of the quiz, but close to a right answer; absent: false. */
  nearMiss?: boolean,
  /** Whether they are no number where one was asked for; absent: false. */
  unread?: boolean,
  /** Whether the host has decided how each of them counts; absent: false. */
  ruled?: boolean,
};

/** Payload of `review_groups`. */
export type ReviewGroups = {
  /** Which question. */
  questionId: string,
  /** Its answers. */
  grouped: GroupedAnswers,
  /** The number of this part, from 1; the first one replaces what the client has of the review. Absent when the message has the groups that changed. */
  part?: number,
  /** How many parts there are; absent without `part`. */
  parts?: number,
};

/** A player as the host sees them. */
export type RoomPlayer = {
  /** The player's id. */
  id: string,
  /** The player's name. */
  displayName: string,
  /** Whether they are here. */
  status: PlayerStatus,
  /** Their time as a percentage of every timer, 101 to 300 (additive); absent without extra time. */
  extraTime?: number,
  /** The round, from 1, for which they have played their joker (additive); absent while it is not played. */
  joker?: number,
  /** The phones of a team, in order of joining (additive); absent for a player who is not a team. */
  devices?: Array<TeamDevice>,
  /** Whether the player has never had a phone: the host enters the answers (additive; absent: false). */
  onPaper?: boolean,
  /** How many times the phone of this seat, of a team the first, has changed: another has taken the seat, or it was removed (additive; absent when none). */
  moves?: number,
};

/** Payload of `room_update`. */
export type RoomUpdate = {
  /** Whether `players` replaces the list that the client has: it is the whole list, or empty above 2,000 players. */
  whole: boolean,
  /** All or the changed players, in order of joining; a whole list leaves out players who left the lobby. Empty while the game has more than 2,000 players: then only the numbers are sent. */
  players: Array<RoomPlayer>,
  /** The number of players who have joined, including those who left the lobby, without removed players. */
  total: number,
  /** How many of them are connected. */
  connected: number,
  /** Whether joining is refused. */
  locked: boolean,
};

/** A round of a quiz. */
export type RoundBody = {
  /** At most 200 characters; may be empty. */
  title: string,
  /** 1 to 100 questions. */
  questions: Array<QuestionBody>,
  /** 5 to 600: after how many seconds the round ends by itself. Absent: only when the host ends it. */
  timeLimit?: number,
  /** Whether right answers in a row earn more: the second one 10 % of the points of its question, each further one 10 % more, at most 50 %. Absent: false. */
  streaks?: boolean,
  /** Whether a right answer to a question with a time limit earns more: the share of its points that equals the share of the time limit that was left. Absent: false. */
  speedPoints?: boolean,
  /** Whether players can play their joker for it, one in each game, which doubles the points of the round. Absent: false. */
  joker?: boolean,
  /** -1,000,000 to 0: the points for a wrong answer; no answer, and any answer to `poll`, `word_cloud` and `nearest`, earns 0. Absent: 0. */
  wrongPoints?: number,
  /** Whether a near miss earns half of the points, rounded down. Absent: false. */
  halfPoints?: boolean,
};

/** The answers of one round. */
export type RoundResults = {
  /** Its title. */
  title: string,
  /** The round of the quiz that it comes from; only with pace `question` (additive). */
  section?: Section,
  /** Its released questions, in order of release. */
  questions: Array<QuestionResults>,
  /** The players whose joker doubles it (additive; absent when none). */
  jokers?: Array<string>,
  /** The points that the host gave by hand, in order of giving (additive; absent when none). */
  adjustments?: Array<AdjustmentResult>,
  /** The tie-breaks after it, in order; the last one can be open (additive; absent when none). */
  tieBreaks?: Array<TieBreakStatus>,
};

/** Payload of `round_review`. */
export type RoundReview = {
  /** One entry per player and question, by order of release, then of arrival. */
  answers: Array<ReviewAnswer>,
  /** The number of this part, from 1, when there are more than 1,000 answers (additive). */
  part?: number,
  /** How many parts there are (additive). */
  parts?: number,
};

/** Payload of `round_scores`. */
export type RoundScores = {
  /** One entry per released question of the round, in order of release, answered or not. */
  results: Array<QuestionResult>,
  /** The points that the host gave the player by hand in this round (additive, with `quizhall.v1` only; absent when none). */
  adjustments?: Array<PointsByHand>,
  /** The player's points of this round, those by hand included. */
  roundTotal: number,
};

/** Payload of `round_started`. */
export type RoundStarted = {
  /** Which round, from 1. */
  round: number,
  /** How many rounds the game has: those of the quiz, or one for each of its questions with pace `question`. */
  rounds: number,
  /** The round's title; may be empty. */
  title: string,
  /** How many questions the round has, released or not. */
  questionCount: number,
  /** The round of the quiz that the question of the round comes from; only with pace `question` (additive). */
  section?: Section,
  /** The points of a wrong answer, below 0; absent where it costs nothing (additive). */
  wrongPoints?: number,
};

/** A screen that has a token. */
export type Screen = {
  /** The screen's id. */
  screenId: string,
  /** RFC 3339, UTC. */
  addedAt: string,
};

/** The break between two rounds. */
export type ScreenBreak = {
  /** The time that it has left. */
  timer: ScreenTimer,
  /** The host's text; may be empty. */
  text: string,
  /** The round after it. */
  next?: ScreenRound,
};

/** The number of players who have played their joker for a round. */
export type ScreenJokers = {
  /** Which round, from 1. */
  round: number,
  /** The number of players. */
  played: number,
};

/** The screens of a game, and what they show. */
export type ScreenList = {
  /** In order of adding. */
  screens: Array<Screen>,
  /** What the host has chosen for them. */
  show: ShowOnScreens,
  /** The address for spectators; absent when the host does not allow them. */
  watchUrl?: string,
};

/** A player's name. */
export type ScreenName = {
  /** The player's id. */
  playerId: string,
  /** The player's name. */
  displayName: string,
};

/** A place on the podium with all players who share it. */
export type ScreenPlace = {
  /** From 1. */
  rank: number,
  /** The points. */
  score: number,
  /** The players on this place. */
  names: Array<ScreenName>,
};

/** A released question, and how many players have answered it. */
export type ScreenQuestion = {
  /** The question's id. */
  id: string,
  /** Its number on the phones, from 1. */
  number: number,
  /** The text of the question. */
  text: string,
  /** Its type. */
  type: string,
  /** The choices in the order to show. */
  choices?: Array<string>,
  /** Points for a right answer. */
  points: number,
  /** Whether an earlier right answer earns more. Absent: false. */
  speedPoints?: boolean,
  /** Its picture or its sound. */
  media?: ReleasedMedia,
  /** The number of players who have answered. */
  answered: number,
  /** The number of players who are connected, or have answered and disconnected. */
  of: number,
  /** Whether its time is over. */
  closed: boolean,
  /** Whether its text was edited since its release. Absent: false. */
  corrected?: boolean,
  /** Whether it was taken out of the round. Absent: false. */
  withdrawn?: boolean,
  /** Its time. */
  timer?: ScreenTimer,
};

/** A round by its place in the quiz. */
export type ScreenRound = {
  /** From 1. */
  number: number,
  /** How many rounds the quiz has. */
  of: number,
  /** Its title; may be empty. */
  title: string,
  /** The round of the quiz that the question of the round comes from; only with pace `question`. */
  section?: Section,
  /** The points of a wrong answer, below 0; absent where it costs nothing. */
  wrongPoints?: number,
};

/** A row of the standings. */
export type ScreenRow = {
  /** The player's id. */
  playerId: string,
  /** The player's name. */
  displayName: string,
  /** All points. */
  score: number,
  /** From 1. */
  rank: number,
  /** The points of the last round; absent once the game is over. */
  roundScore?: number,
  /** The rank before the last round; absent on the first board, and once the game is over. */
  previousRank?: number,
};

/** A slide. */
export type ScreenShow = { "kind": "question" } & ShownAnswer | { "kind": "standings" } & ShownStandings | { "kind": "next" } & ScreenRound | { "kind": "podium" } & ShownPodium | { "kind": "winner" } & ShownWinner | { "kind": "tie_break" } & TieBreakStatus;

/** How many players gave each answer to a question that is not marked. */
export type ScreenTally = {
  /** The question. */
  text: string,
  /** Whether it is shown as words of different sizes. */
  cloud: boolean,
  /** The answers with their counts. */
  entries: Array<TallyEntry>,
};

/** The time that a timer has left. */
export type ScreenTimer = {
  /** Milliseconds left when the message was made. */
  remainingMs: number,
  /** Whether the time falls. */
  running: boolean,
};

/** Payload of `screen_update`. A screen shows nothing for a field that is absent or empty. */
export type ScreenUpdate = {
  /** The code that players type. */
  gameCode: string,
  /** Title of the quiz. */
  title: string,
  /** The phase. */
  phase: Phase,
  /** Whether new players are refused. */
  locked: boolean,
  /** The number of players. */
  playerTotal: number,
  /** The current or the last round; absent in the lobby. */
  round?: ScreenRound,
  /** In the lobby, the players, in order of joining; above 200, the newest 100. */
  players?: Array<Player>,
  /** In the lobby of a sealed game, the seal of the quiz: 64 hexadecimal digits. */
  seal?: string,
  /** While a round is open, its released questions in order of release; above 11, the newest. */
  questions?: Array<ScreenQuestion>,
  /** The time of the round. */
  timer?: ScreenTimer,
  /** The autopilot's next step; absent while a question is open, and while no autopilot runs. */
  step?: AutopilotStep,
  /** The tally that the host shows: of the newest question, or of any question once the round is over. */
  tally?: ScreenTally,
  /** The break, while there is one. */
  pause?: ScreenBreak,
  /** The jokers for the current or the next round. */
  jokers?: ScreenJokers,
  /** The host's choice: a revealed answer, and after the release of the scores one slide after the other. */
  show?: ScreenShow,
  /** The copies of pictures and sounds to load ahead of their questions. */
  preload?: MediaPreload,
  /** Whether the host wants nothing to be shown: the screen is dark, whatever the other fields say. Absent: false. */
  blank?: boolean,
  /** Whether the host wants sounds. */
  sound: boolean,
  /** The language of the screen's own words, as a tag; absent: the screen's own. */
  language?: string,
};

/** The seal of a quiz. */
export type SealBody = {
  /** The SHA-256 of all leaves, 64 hexadecimal digits. */
  seal: string,
  /** The SHA-256 of each question with its key and a secret salt, in the order of the quiz. */
  leaves: Array<string>,
  /** When the game was created and the quiz sealed (RFC 3339, UTC). */
  createdAt: string,
};

/** Payload of `seal_status`. */
export type SealStatus = {
  /** The SHA-256 of the questions and their keys as they were when the game was created, 64 hexadecimal digits. It never changes. */
  seal: string,
};

/** A round of the quiz in a game whose rounds are single questions. */
export type Section = {
  /** Its place in the quiz, from 0. */
  index: number,
  /** Its title; may be empty. */
  title: string,
  /** The place of the question in it, from 0. */
  questionIndex: number,
  /** How many questions it has. */
  questionCount: number,
};

/** A session: the bearer token of a host. */
export type Session = {
  /** `Authorization: Bearer …` for HTTP and the socket. */
  token: string,
  /** When it ends (RFC 3339, UTC); 12 h after signing in. */
  expiresAt: string,
  /** Whose session it is. */
  host: Host,
};

/** Payload of `set_close_when_answered`. */
export type SetCloseWhenAnswered = {
  /** Whether questions close when all have answered. */
  on: boolean,
};

/** Payload of `set_extra_time`. */
export type SetExtraTime = {
  /** Whose. */
  playerId: string,
  /** The player's time as a percentage of every timer, 100 to 300; 100 is no extra time. */
  percent: number,
};

/** Payload of `set_timer`. */
export type SetTimer = {
  /** An open question of the current round; absent for the timer of the round. */
  questionId?: string,
  /** 5 to 600. */
  seconds: number,
};

/** The body of `POST /api/v1/games/{id}/results-link`, which may be left out: what the link shows besides the results. */
export type ShareResults = {
  /** Whether it gives the proof of a sealed game once the game has ended. Absent: as before, and not for a new link. */
  proof?: boolean,
  /** Whether it shows the replay once the game has ended. Absent: as before, and not for a new link. */
  replay?: boolean,
};

/** A question of such a round. */
export type SharedQuestion = {
  /** The text of the question. */
  text: string,
  /** The question's type. */
  type: string,
  /** The first accepted answer; for `multi_select` and `order`, the right choices, one per line; empty when answers are not marked. */
  correctAnswer: string,
  /** Points for a right answer. */
  points: number,
  /** How many players could answer. */
  players: number,
  /** How many answers count as right. */
  right: number,
  /** The answer of the player in `you`; absent without `you`. */
  yours?: OwnAnswer,
  /** The author's explanation, shown with the right answer; absent when there is none. */
  explanation?: string,
  /** Whether its text was edited after its release (additive; absent when not). */
  corrected?: boolean,
  /** Whether the host withdrew it: its answers earn nothing (additive; absent when not). */
  withdrawn?: boolean,
};

/** The released results of a game. */
export type SharedResults = {
  /** The game's id, by which a player's device finds its session token. It gives no access. */
  gameId: string,
  /** Title of the quiz. */
  title: string,
  /** When the game was created (RFC 3339, UTC). */
  createdAt: string,
  /** Whether the game has ended: no more results follow. */
  ended: boolean,
  /** `true` while the host has not shown the standings yet; absent otherwise. */
  standingsHeld?: boolean,
  /** The name of the player whose session token came with the request; absent without a token of this game. */
  you?: string,
  /** The standings, whole; empty while they are held. */
  standings: Array<SharedStanding>,
  /** The rounds whose scores are released. */
  rounds: Array<SharedRound>,
  /** Whether the link gives the proof of the game (`GET /api/v1/games/{id}/proof`, with the token as bearer token); absent when not. */
  proof?: boolean,
  /** Whether the link shows the replay, under `/moments` (additive; absent when not). */
  replay: boolean,
};

/** A round whose scores are released. */
export type SharedRound = {
  /** From 1. */
  number: number,
  /** Its title; may be empty. */
  title: string,
  /** The round of the quiz that it comes from; only with pace `question` (additive). */
  section?: Section,
  /** Its released questions, in order of release. */
  questions: Array<SharedQuestion>,
  /** The points that the host gave the player in `you` by hand in this round, added up (additive; absent without `you`, or when there are none). */
  yourAdjustments?: number,
};

/** A player's place. */
export type SharedStanding = {
  /** From 1; equal scores share a rank, unless a tie-break ordered them. */
  rank: number,
  /** The player's name; a placeholder when it was erased. */
  displayName: string,
  /** All points of the released rounds. */
  score: number,
};

/** An answer of a team, or a suggestion, and the phone that sent it. */
export type SheetAnswer = {
  /** The question's id. */
  questionId: string,
  /** The answer as written. */
  answer: string,
  /** The phone that sent it last. */
  by: string,
};

/** The body of `PUT /api/v1/games/{id}/screens/show`: what the host chooses for the screens. */
export type ShowOnScreens = {
  /** The slide to show, once the scores are released. Absent: the first one. The release of scores and the end of the game return to the first one. It shows no held standings to phones; `next` and `show_standings` do. */
  slide?: Slide,
  /** Whether they show nothing, in every phase, until the game's next step is another one. Absent: false. */
  blank?: boolean,
  /** Whether they play sounds. Absent: false. */
  sound?: boolean,
  /** The language of their own words, as a tag of at most 35 characters. Absent: each screen's default. */
  language?: string,
};

/** Payload of `show_tally`. */
export type ShowTally = {
  /** A `poll` or `word_cloud` question released in this round. */
  questionId: string,
  /** At most 200 entries to leave out, each as in `tally` (additive; none when absent). */
  hide?: Array<string>,
};

/** A question with its answer, once the answer is revealed or the scores are released. */
export type ShownAnswer = {
  /** Its number on the phones, from 1. */
  number: number,
  /** How many questions the round has released. */
  of: number,
  /** The text of the question. */
  text: string,
  /** The right answer; empty when answers are not marked. */
  answer: string,
  /** The choices, and how many players took each. */
  choices?: Array<ShownChoice>,
  /** The share of right answers; absent before the scores are released, and when answers are not marked. */
  right?: ShownShare,
  /** The tally of a question that is not marked. */
  tally?: ScreenTally,
  /** The author's explanation, shown with the answer; may be empty. */
  explanation: string,
  /** The picture or the sound of the question. */
  media?: ReleasedMedia,
};

/** A choice of a question whose answer is shown. */
export type ShownChoice = {
  /** The choice. */
  text: string,
  /** Whether it is right. */
  right: boolean,
  /** The number of players who took it. */
  taken: number,
};

/** The first three places, revealed from the third up to the first. */
export type ShownPodium = {
  /** Best first. */
  places: Array<ScreenPlace>,
  /** Whether all places are shown. */
  whole: boolean,
};

/** A number of answers out of a total. */
export type ShownShare = {
  /** The number. */
  count: number,
  /** The total. */
  of: number,
};

/** A page of the standings. */
export type ShownStandings = {
  /** Ten rows at most. */
  rows: Array<ScreenRow>,
  /** From 1. */
  page: number,
  /** How many pages there are. */
  pages: number,
};

/** The first place. */
export type ShownWinner = {
  /** The place with all players who share it. */
  place: ScreenPlace,
};

/** The body of `POST /api/v1/sessions`: sign in. */
export type SignIn = {
  /** Account name. */
  name: string,
  /** Its password. */
  password: string,
};

/** The ways to sign in besides name and password. */
export type SignInMethods = {
  /** With an OpenID Connect provider. */
  oidc: boolean,
};

/** A slide. */
export type Slide = {
  /** What it shows. */
  kind: SlideKind,
  /** For a question or a page of the standings, its index from 0; for the podium, the number of places. Absent: 0. */
  at?: number,
};

/** What a slide shows. */
export type SlideKind = "question" | "standings" | "next" | "podium" | "winner" | "tie_break";

/** A spectator of a game. */
export type Spectator = {
  /** The code of the game, as it is shown. */
  gameCode: string,
  /** Opens a socket of `quizhall.v1` with the role `screen`, for as long as the host lets spectators watch. */
  token: string,
};

/** Payload of `standings_status`. */
export type StandingsStatus = {
  /** Whether the standings of the round just scored are held: players receive no board until the host shows them. */
  held: boolean,
};

/** Payload of `start_break`. */
export type StartBreak = {
  /** 5 to 3,600. */
  seconds: number,
  /** At most 200 characters, shown with the clock (additive; none when absent). */
  text?: string,
};

/** A step of the game. */
export type Step = "start_game" | "release_question" | "close_question" | "end_round" | "reveal_answer" | "show" | "release_scores" | "end_tie_break" | "show_standings" | "start_next_round" | "end_game" | "none";

/** Payload of `step_update`. */
export type StepUpdate = {
  /** Its number in this game, from 1. It grows whenever the step changes, and stays when only what it waits for changes. */
  number: number,
  /** The step. */
  step: Step,
  /** The question of the step; absent when the step is about none. */
  questionId?: string,
  /** The picture of the step `show`; absent for all others. */
  slide?: Slide,
  /** What the step would interrupt; absent when nothing. It is a hint: `next` takes the step nevertheless. */
  waitsFor?: WaitsFor,
};

/** Payload of `submit_answer`. */
export type SubmitAnswer = {
  /** Which open question. */
  questionId: string,
  /** The answer: 1 to 1,000 code points, at most 4 KiB; for a choice, its text. */
  answer: string,
};

/** Payload of `suggest_answer`. */
export type SuggestAnswer = {
  /** Which open question. */
  questionId: string,
  /** 1 to 200 code points; otherwise as in `submit_answer`. */
  answer: string,
};

/** Points by hand that are not given. */
export type SupposedPoints = {
  /** The player. */
  playerId: string,
  /** −1,000,000 to 1,000,000, not 0, as in `adjust_points`. */
  points: number,
};

/** The body of `POST /api/v1/seats`. */
export type TakeSeat = {
  /** The code of the game, in any case. */
  gameCode: string,
  /** The code of the seat, in any case. */
  seatCode: string,
};

/** Payload of `tally`. */
export type Tally = {
  /** The question's id. The tally shown before, of any question, is void. */
  questionId: string,
  /** For a poll, every choice, in order. For a word cloud, at most 50 answers, folded as for marking, the most frequent first. */
  entries: Array<TallyEntry>,
};

/** One answer of a tally. */
export type TallyEntry = {
  /** The choice, or the folded text. */
  answer: string,
  /** How many players gave it. */
  count: number,
};

/** A phone of a team. */
export type TeamDevice = {
  /** The phone's id. */
  deviceId: string,
  /** Its name, unique in the team; the first phone has the team's. */
  displayName: string,
  /** Whether it is connected. */
  connected: boolean,
  /** How many times the phone of this place has changed: another has taken the place, or it was removed (additive, in `room_update` only; absent when none). */
  moves?: number,
};

/** Payload of `team_sheet`. */
export type TeamSheet = {
  /** Whether this is the whole sheet, which replaces what the client has. Otherwise it is one new answer or suggestion. */
  whole: boolean,
  /** The answers that count, in order of release of their questions. A new answer replaces the answer and all suggestions to its question. */
  answers: Array<SheetAnswer>,
  /** The last suggestion of each phone to each question, in order of arrival, until the captain answers the question; absent when there is none. A new suggestion replaces that of the same phone to the same question, and is then the latest. */
  suggestions?: Array<SheetAnswer>,
};

/** Payload of `team_update`. */
export type TeamUpdate = {
  /** The code with which more phones join the team: four symbols. */
  teamCode: string,
  /** The phone of this socket. */
  deviceId: string,
  /** All phones of the team, in order of joining. */
  devices: Array<TeamDevice>,
  /** The only phone that answers; absent in games where each phone answers. */
  captain?: string,
};

/** How several phones play as a team. */
export type Teams = {
  /** How many phones a team can have, 2 to 12. Absent: 6. */
  devices?: number,
  /** Whether only the first phone of a team answers, and the others suggest. Absent: false. */
  captainOnly?: boolean,
};

/** The answer of `POST /api/v1/webhooks/{id}/test`. */
export type TestDelivery = {
  /** Of the delivery. */
  id: string,
};

/** Payload of `tie_break`. */
export type TieBreak = {
  /** The players who are asked, 2 to 100. */
  playerIds: Array<string>,
  /** The text of the question, at most 500 characters. */
  text: string,
  /** The right answer, a whole number of at most 1,000,000,000,000,000 with either sign. */
  number: number,
};

/** Payload of `tie_break_answer`. */
export type TieBreakAnswer = {
  /** The number; absent without an answer, or while no tie-break is open. */
  number?: number,
};

/** A player of a tie-break. */
export type TieBreakPlayer = {
  /** The player's id. */
  playerId: string,
  /** The player's name. */
  displayName: string,
  /** Whether the player has answered. */
  answered: boolean,
  /** The answer; absent when the player gave none, and while the tie-break is open. */
  number?: number,
  /** From 1; equally near answers share a place (1, 2, 2, 4). Absent while the tie-break is open. */
  place?: number,
};

/** A tie-break. It contains the numbers, including the right one, once it is over. */
export type TieBreakStatus = {
  /** The text of the question. */
  text: string,
  /** The right answer; absent while it is open. */
  number?: number,
  /** The players who are asked; once the tie-break is over, in their order. A later tie-break orders the players whom the earlier ones left equal; a player who was not asked follows them. */
  players: Array<TieBreakPlayer>,
};

/** Payload of `tie_breaks`. */
export type TieBreaks = {
  /** In order; the last one can be open. */
  tieBreaks: Array<TieBreakStatus>,
};

/** Payload of `timer_update`. */
export type TimerUpdate = {
  /** The question that the timer closes; absent for the timer of the round. */
  questionId?: string,
  /** Milliseconds left when the message was made: at most 3,600,000, or three times that with extra time. A client subtracts half of its round trip. */
  remainingMs: number,
  /** Whether the timer runs: false while the host holds the timers. */
  running: boolean,
  /** Only to the host (additive): how many milliseconds more the player with the most extra time has; absent without extra time. */
  extraMs?: number,
};

/** What a token for programs may do. */
export type TokenScope = "read" | "quizzes" | "games";

/** Payload of `undo_adjustment`. */
export type UndoAdjustment = {
  /** Points by hand of `adjustments_update`. */
  adjustmentId: string,
};

/** Why a step could wait. */
export type WaitReason = "marking" | "answers";

/** What a step would interrupt. */
export type WaitsFor = {
  /** The reason. */
  reason: WaitReason,
  /** How many texts or players. */
  count: number,
};

/** The body of `POST /api/v1/spectators`. */
export type Watch = {
  /** The code of the game. */
  gameCode: string,
};

/** A webhook. */
export type Webhook = {
  /** Its id. */
  id: string,
  /** The URL for deliveries. */
  url: string,
  /** The events that it receives. */
  events: Array<WebhookEvent>,
  /** When it was created (RFC 3339, UTC). */
  createdAt: string,
  /** The time since which every delivery has failed (RFC 3339, UTC); absent while they succeed. */
  failingSince?: string,
  /** Whether deliveries are stopped, because they failed for too long. */
  disabled: boolean,
  /** The number of waiting deliveries. */
  waiting: number,
};

/** The body of `PATCH /api/v1/webhooks/{id}`. */
export type WebhookChange = {
  /** `false`: deliveries start again. */
  disabled: boolean,
};

/** A delivery of a webhook. */
export type WebhookDelivery = {
  /** Its id. `webhook-id` is `msg_` and this without hyphens. */
  id: string,
  /** Its event: `round.released`, `game.ended` or `webhook.test`. */
  event: string,
  /** The game; absent for a test event. */
  gameId?: string,
  /** When its event was stored (RFC 3339, UTC). */
  createdAt: string,
  /** What became of it. */
  state: DeliveryState,
  /** How often it was attempted. */
  attempts: number,
  /** The status with which the receiver answered the latest attempt. */
  status?: number,
  /** Why the latest attempt had no answer. `status` and this are both absent before the first attempt has ended. */
  trouble?: DeliveryTrouble,
  /** When it is attempted next while it waits; otherwise when it arrived or was given up (RFC 3339, UTC). */
  at: string,
};

/** The answer of `GET /api/v1/webhooks/{id}/deliveries`. */
export type WebhookDeliveryList = {
  /** Up to 50 that wait, the next first; then up to 50 that are over, the latest first. */
  deliveries: Array<WebhookDelivery>,
};

/** An event that a webhook receives. */
export type WebhookEvent = "round.released" | "game.ended";

/** The answer of `GET /api/v1/webhooks`. */
export type WebhookList = {
  /** The oldest first. */
  webhooks: Array<Webhook>,
};

/** Corrections that the host has not made. They are carried out in this order. */
export type WhatIf = {
  /** Marks of answers, at most 20. */
  corrections?: Array<Correction>,
  /** Questions that are withdrawn, at most 20. */
  withdraw?: Array<string>,
  /** Points by hand, at most 20. They belong to the current round: while its questions are played they change no board. */
  adjustments?: Array<SupposedPoints>,
};

/** What the corrections would do. */
export type WhatIfOutcome = {
  /** The board as it is, whole. When a correction is about the round under review, or points are given during the review: as it would be if the scores of that round were released now. */
  before: Array<LeaderboardEntry>,
  /** The same board after the corrections, whole. */
  after: Array<LeaderboardEntry>,
  /** The players whose score or rank differs, in the order of `after`. */
  changes: Array<BoardChange>,
};

/** Payload of `withdraw_question`. */
export type WithdrawQuestion = {
  /** A released question of this round or of an earlier one. */
  questionId: string,
};

/** Host to server. */
export type FromHost = { "type": "start_game" } | { "type": "release_question", "payload": ReleaseQuestion } | { "type": "end_round" } | { "type": "override_answer", "payload": OverrideAnswer } | { "type": "release_scores" } | { "type": "start_next_round" } | { "type": "end_game" };

/** Player to server. */
export type FromPlayer = { "type": "submit_answer", "payload": SubmitAnswer };

/** Server to all participants. */
export type ToAll = { "type": "lobby_update", "payload": LobbyUpdate } | { "type": "game_started" } | { "type": "question_released", "payload": QuestionReleased } | { "type": "round_ended" } | { "type": "round_leaderboard", "payload": Leaderboard } | { "type": "game_ended", "payload": Leaderboard };

/** Server to host only. */
export type ToHost = { "type": "scoreboard_update", "payload": AnswerCount } | { "type": "round_review", "payload": RoundReview } | { "type": "override_applied", "payload": OverrideApplied };

/** Server to a single player only. */
export type ToPlayer = { "type": "answer_accepted", "payload": AnswerAccepted } | { "type": "round_scores", "payload": RoundScores } | { "type": "scoreboard_update", "payload": Leaderboard };

/** Extension quizhall.v1: host to server. */
export type FromHostV1 = { "type": "next", "payload": Next } | { "type": "mark_answers", "payload": MarkAnswers } | { "type": "accept_answer", "payload": AcceptAnswer } | { "type": "correct_marks", "payload": CorrectMarks } | { "type": "dismiss_appeal", "payload": DismissAppeal } | { "type": "adjust_points", "payload": AdjustPoints } | { "type": "undo_adjustment", "payload": UndoAdjustment } | { "type": "open_desk", "payload": OpenDesk } | { "type": "undo_marking" } | { "type": "lock_game", "payload": LockGame } | { "type": "remove_player", "payload": RemovePlayer } | { "type": "release_own_scores" } | { "type": "show_standings" } | { "type": "show_tally", "payload": ShowTally } | { "type": "set_timer", "payload": SetTimer } | { "type": "add_time", "payload": AddTime } | { "type": "pause_timer" } | { "type": "resume_timer" } | { "type": "close_question", "payload": CloseQuestion } | { "type": "set_close_when_answered", "payload": SetCloseWhenAnswered } | { "type": "start_autopilot", "payload": AutopilotPlan } | { "type": "stop_autopilot" } | { "type": "set_extra_time", "payload": SetExtraTime } | { "type": "reveal_answer", "payload": RevealAnswer } | { "type": "start_break", "payload": StartBreak } | { "type": "end_break" } | { "type": "tie_break", "payload": TieBreak } | { "type": "edit_question", "payload": EditQuestion } | { "type": "withdraw_question", "payload": WithdrawQuestion } | { "type": "rename_player", "payload": RenamePlayer } | { "type": "add_seat", "payload": AddSeat } | { "type": "enter_answer", "payload": EnterAnswer } | { "type": "end_tie_break" };

/** Extension quizhall.v1: player to server. */
export type FromPlayerV1 = { "type": "play_joker" } | { "type": "appeal", "payload": Appeal } | { "type": "answer_tie_break", "payload": AnswerTieBreak } | { "type": "suggest_answer", "payload": SuggestAnswer };

/** Extension quizhall.v1: host, player or screen to server. */
export type FromAnyV1 = { "type": "ping" };

/** Extension quizhall.v1: server to all who asked for them. */
export type ToAllV1 = { "type": "game_info", "payload": GameInfo } | { "type": "seal_status", "payload": SealStatus } | { "type": "round_started", "payload": RoundStarted } | { "type": "host_status", "payload": HostStatus } | { "type": "joker_round", "payload": JokerRound } | { "type": "standings_status", "payload": StandingsStatus } | { "type": "tally", "payload": Tally } | { "type": "media_preload", "payload": MediaPreload } | { "type": "timer_update", "payload": TimerUpdate } | { "type": "question_closed", "payload": QuestionClosed } | { "type": "autopilot_status", "payload": AutopilotStatus } | { "type": "autopilot_step", "payload": AutopilotStep } | { "type": "answer_revealed", "payload": AnswerRevealed } | { "type": "question_edited", "payload": QuestionEdited } | { "type": "question_withdrawn", "payload": QuestionWithdrawn } | { "type": "player_renamed", "payload": Player } | { "type": "tie_breaks", "payload": TieBreaks } | { "type": "break_update", "payload": BreakUpdate };

/** Extension quizhall.v1: server to host only. */
export type ToHostV1 = { "type": "review_groups", "payload": ReviewGroups } | { "type": "room_update", "payload": RoomUpdate } | { "type": "players_answered", "payload": PlayersAnswered } | { "type": "answers_entered", "payload": AnswersEntered } | { "type": "game_options", "payload": PlayOptions } | { "type": "answers_marked", "payload": AnswersMarked } | { "type": "answers_update", "payload": AnswersUpdate } | { "type": "board_update", "payload": Leaderboard } | { "type": "appeals_update", "payload": AppealsUpdate } | { "type": "adjustments_update", "payload": AdjustmentsUpdate } | { "type": "step_update", "payload": StepUpdate } | { "type": "marking_update", "payload": MarkingUpdate };

/** Extension quizhall.v1: server to a single player only. */
export type ToPlayerV1 = { "type": "lobby_changed", "payload": LobbyChanged } | { "type": "joker_update", "payload": JokerUpdate } | { "type": "appeal_status", "payload": AppealStatus } | { "type": "tie_break_answer", "payload": TieBreakAnswer } | { "type": "team_update", "payload": TeamUpdate } | { "type": "team_sheet", "payload": TeamSheet } | { "type": "answered_status", "payload": AnsweredStatus };

/** Extension quizhall.v1: server to a screen only. */
export type ToScreenV1 = { "type": "screen_update", "payload": ScreenUpdate };

/** Extension quizhall.v1: server to the socket that asked. */
export type ToSenderV1 = { "type": "pong" };

/** What the host sends; extension messages only on a socket that negotiated them. */
export type SaidByHost = FromHost | FromHostV1 | FromAnyV1;

/** What the host receives; extension messages only on a socket that negotiated them. */
export type HeardByHost = ToAll | ToHost | ToAllV1 | ToHostV1 | ToSenderV1;

/** What a player sends; extension messages only on a socket that negotiated them. */
export type SaidByPlayer = FromPlayer | FromPlayerV1 | FromAnyV1;

/** What a player receives; extension messages only on a socket that negotiated them. */
export type HeardByPlayer = ToAll | ToPlayer | ToAllV1 | ToPlayerV1 | ToSenderV1;

/** What a screen sends; extension messages only on a socket that negotiated them. */
export type SaidByScreen = FromAnyV1;

/** What a screen receives; extension messages only on a socket that negotiated them. */
export type HeardByScreen = ToScreenV1 | ToSenderV1;

/** Offer it to receive Quizhall's extension. */
export const SUBPROTOCOL = "quizhall.v1";

/** What to do after a close. */
export type Advice = "reconnect" | "reconnect_and_resend" | "reconnect_now" | "stop";

/** Every close the server chooses, by its number. The reason of a close frame begins with `reason`. */
export const CLOSE_CODES = {
  /** After `game_ended` and a pause of 60 s. */
  1000: { reason: "game_over", advice: "stop" },
  /** The bytes are not WebSocket frames as RFC 6455 has them. */
  1002: { reason: "protocol_error", advice: "reconnect" },
  /** A binary message: all messages are JSON text. */
  1003: { reason: "text_only", advice: "reconnect" },
  /** A text message is not UTF-8. */
  1007: { reason: "invalid_utf8", advice: "reconnect" },
  /** A message is larger than allowed, or in too many fragments. */
  1009: { reason: "message_too_big", advice: "reconnect" },
  /** A bug, contained to this game. */
  1011: { reason: "internal_error", advice: "reconnect_and_resend" },
  /** The server is draining; the reason has a `retry` window in seconds. */
  1012: { reason: "service_restart", advice: "reconnect_and_resend" },
  /** Overload. */
  1013: { reason: "try_again_later", advice: "reconnect_and_resend" },
  /** The message is not a JSON envelope with a `type`. */
  4000: { reason: "invalid_json", advice: "reconnect" },
  /** The `type` is unknown, or only the server sends it. */
  4001: { reason: "unknown_type", advice: "reconnect" },
  /** A field is missing, of the wrong type or out of range; the detail names it. */
  4002: { reason: "invalid_payload", advice: "reconnect" },
  /** A valid message in a phase that does not allow it. */
  4003: { reason: "wrong_phase", advice: "reconnect" },
  /** A player sent a host's message, or the reverse. */
  4004: { reason: "wrong_role", advice: "reconnect" },
  /** The question is not in this game, or not open. */
  4005: { reason: "unknown_question", advice: "reconnect" },
  /** The player is not in this game. */
  4006: { reason: "unknown_player", advice: "reconnect" },
  /** Too many messages or control frames; or, then with a `retry` window in seconds, too many sockets of one participant (`reconnects`) or too many bytes of one for the log (`log`). */
  4008: { reason: "rate_limited", advice: "reconnect" },
  /** A message was begun and not finished in time. */
  4100: { reason: "read_timeout", advice: "reconnect_and_resend" },
  /** The outbound queue or the write deadline was exceeded. */
  4101: { reason: "slow_consumer", advice: "reconnect_and_resend" },
  /** The command could not be stored within 5 s. */
  4102: { reason: "storage_unavailable", advice: "reconnect_and_resend" },
  /** No sign of life after a ping. */
  4103: { reason: "ping_timeout", advice: "reconnect_and_resend" },
  /** The game moved to another node, or a gap was found. */
  4200: { reason: "resync_required", advice: "reconnect_now" },
  /** The token is missing, wrong, expired or revoked. */
  4401: { reason: "unauthorized", advice: "stop" },
  /** The token belongs to another game. */
  4403: { reason: "forbidden", advice: "stop" },
  /** No game has this code. */
  4404: { reason: "game_not_found", advice: "stop" },
  /** The same participant connected again. */
  4409: { reason: "replaced", advice: "stop" },
  /** The game was deleted or archived. */
  4410: { reason: "game_closed", advice: "stop" },
  /** The host removed the player. */
  4411: { reason: "removed", advice: "stop" },
} as const satisfies Record<number, { reason: string; advice: Advice }>;
