// Starts the host's page.
import '$ui/design/base.css';
import '$ui/design/display.css';

import { start } from '$ui/design/start.ts';

import App from './App.svelte';

start(App);
