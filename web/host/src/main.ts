// Mounts the host's page.
import '$ui/design/base.css';
import '$ui/design/display.css';

import { mount } from 'svelte';

import { applyTheme } from '$ui/design/theme.ts';

import App from './App.svelte';

applyTheme();
const target = document.getElementById('app');
if (target) mount(App, { target });
