// Starts the play page: the session (which may lead straight back to a seat), then the page itself.
import '$ui/design/base.css';

import { start } from '$ui/design/start.ts';

import App from './App.svelte';
import { session } from './session.svelte.ts';

session.start();
start(App);
