// Everything of the client that others may use: the HTTP interface, a player's and a host's game, marking, quiz files.
// Only re-exports, so that a page includes only what it uses.

export { Api, newKey } from './api.ts';
export type { ApiOptions, TeamWay } from './api.ts';
export { HostApi } from './hostapi.ts';
export type { Search } from './hostapi.ts';
export { sessionOf, SharedResultsApi } from './sharedresults.ts';
export { ApiError, NetworkError } from './http.ts';
export { follow, nextSeat } from './following.ts';
export { ownRef, sealDigits } from './proof.ts';
export { SeatStore } from './seats.ts';
export { PlayerGame } from './player.ts';
export type { GameOptions } from './game.ts';
export { HostGame } from './host.ts';
export { groupAnswers, serverGroups, Similar } from './marking.ts';
export type { GroupedReview } from './reviewgroups.ts';
export type { AnswerGroup } from './marking.ts';
export { quizToCsv, quizToJson, readQuizFile } from './quizfile.ts';
export type { QuizFile, Skipped, SkipReason } from './quizfile.ts';
export { browser } from './platform.ts';
export type { Platform, SocketLike, StorageLike } from './platform.ts';
export { equalsOf, isOpen, standingsOf, wholeOf } from './ties.ts';
export { msLeft } from './timers.ts';
export type * from './view.ts';
export type * from './generated/protocol.ts';
