import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './style/tokens.css'
import './style/base.css'
import './style/parts.css'
import './style/shell.css'
import { makeQueryClient } from './session/queries.ts'
import { App } from './shell/app.tsx'
import { applyTheme } from './shell/theme.ts'
import { LanguageProvider } from './words/language.tsx'

applyTheme()
const place = document.getElementById('page')
if (place === null) throw new Error('index.html has no element "page"')
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={makeQueryClient()}>
      <LanguageProvider>
        <App />
      </LanguageProvider>
    </QueryClientProvider>
  </StrictMode>,
)
