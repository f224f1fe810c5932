// Starts the page behind a results link.
import '$ui/design/base.css';

import { start } from '$ui/design/start.ts';

import App from './App.svelte';

start(App);
