// The theme's own look with the reader's own fonts: a page asks nobody else for anything.
import theme from 'vitepress/theme-without-fonts'
import './style.css'

export default theme
