import DefaultTheme from 'vitepress/theme'
import { theme } from 'vitepress-openapi/client'
import 'vitepress-openapi/dist/style.css'
import './site.css'

export default {
  extends: DefaultTheme,
  /** @param {{ app: import('vue').App }} context */
  enhanceApp: ({ app }) => theme.enhanceApp({ app }),
}
