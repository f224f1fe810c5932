// Mounts the page behind a results link.
import '$ui/design/base.css';

import { applyTheme } from '$ui/design/theme.ts';
import { mount } from 'svelte';

import App from './App.svelte';

applyTheme();
const target = document.getElementById('app');
if (target) mount(App, { target });
