// biome-ignore assist/source/organizeImports: in this order, the packages compress best.
import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { StartClient } from '@tanstack/react-start/client'

const app = import.meta.env.DEV ? (
  <StrictMode>
    <StartClient />
  </StrictMode>
) : (
  <StartClient />
)

// In a task of its own: evaluating the scripts takes one already, and a press waits for its end.
setTimeout(() => startTransition(() => void hydrateRoot(document, app)))
