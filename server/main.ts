import { readConfig } from '#api/config.ts'
import { useEnvironmentFile } from './environment.ts'
import { runUntilStopped } from './run.ts'
import { startMarquee } from './start.ts'

// Production, configured by the environment and the environment file: `npm start`.
await runUntilStopped(async () => {
  const marquee = await startMarquee(readConfig({ NODE_ENV: 'production', ...useEnvironmentFile() }))
  if (!marquee.deps.mailer)
    marquee.deps.log.warn('SMTP_URL is not set. Emails are not sent, so nobody can sign up or reset a password')
  marquee.deps.log.info({ url: marquee.url }, 'Marquee is ready')
  return marquee
})
