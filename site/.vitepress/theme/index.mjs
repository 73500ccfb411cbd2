// Without VitePress's own fonts: the system's are there at once, and nothing is loaded.
import DefaultTheme from 'vitepress/theme-without-fonts';
import './style.css';

export default DefaultTheme;
