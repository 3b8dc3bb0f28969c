import { defineConfig } from 'drizzle-kit'

/**
 * `npx drizzle-kit generate --name what-changed` writes the next migration. Roles, policies and
 * functions are added by hand.
 */
export default defineConfig({
  dialect: 'postgresql',
  schema: './api/**/*.schema.ts',
  out: './api/platform/db/migrations',
})
