// Mounts the screen page.
import '$ui/design/base.css';
import '$ui/design/display.css';

import { applyTheme } from '$ui/design/theme.ts';
import { mount } from 'svelte';

import App from './App.svelte';

applyTheme();
// For stream software, which lays the page over its own picture.
document.documentElement.classList.toggle('overlay', new URLSearchParams(location.search).has('overlay'));
const target = document.getElementById('app');
if (target) mount(App, { target });
