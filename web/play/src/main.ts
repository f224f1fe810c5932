// Starts the play page: the theme, the session (which may lead straight back to a seat), then the page itself.
import '$ui/design/base.css';

import { applyTheme } from '$ui/design/theme.ts';
import { mount } from 'svelte';

import App from './App.svelte';
import { session } from './session.svelte.ts';

applyTheme();
session.start();
const target = document.getElementById('app');
if (target) mount(App, { target });
