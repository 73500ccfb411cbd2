// Without VitePress's own fonts: the system's are there at once, and nothing is loaded.
import DefaultTheme from 'vitepress/theme-without-fonts';
// oxlint-disable-next-line import/no-unassigned-import -- Vite adds it to the pages
import './style.css';

export default DefaultTheme;
