import { mount } from 'svelte';
import App from './App.svelte';
import { theme } from './lib/theme.svelte';
import './app.css';

theme.start();
document.getElementById('loading')?.remove();
mount(App, { target: document.getElementById('app')! });
