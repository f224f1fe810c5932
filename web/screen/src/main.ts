// Starts the screen page.
import '$ui/design/base.css';
import '$ui/design/display.css';

import { start } from '$ui/design/start.ts';

import App from './App.svelte';
import { edgeIn } from './seat.ts';

// For stream software, which lays the page over its own picture.
document.documentElement.classList.toggle('overlay', edgeIn(location.search) !== null);
start(App);
