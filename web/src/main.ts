import { mount } from 'svelte';
import App from './App.svelte';
import { theme } from './lib/theme.svelte';
import './app.css';

theme.start();
// Until now there was a line that says so, because the script may take a while on a slow line.
document.getElementById('loading')?.remove();
mount(App, { target: document.getElementById('app')! });
