import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'

export const Route = createFileRoute('/_guest/login')({
  validateSearch: z.object({ redirect: z.catch(z.optional(z.string()), undefined) }),
  component: () => <h1>Login</h1>,
})
