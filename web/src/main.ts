import { mount } from 'svelte';
import App from './App.svelte';
import { letters } from './lib/browser/letters.svelte';
import { theme } from './lib/browser/theme.svelte';
import './app.css';

theme.start();
letters.start();
document.getElementById('loading')?.remove();
mount(App, { target: document.getElementById('app')! });
