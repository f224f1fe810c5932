// What the run page can open above itself. One at a time: a drawer of the room, or a dialogue.

export type Panel = 'players' | 'paper' | 'paper_seat' | 'screens' | 'clock' | 'break' | 'corrections' | 'code' | 'cohosts' | 'keys' | 'delete';
