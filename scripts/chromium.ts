import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const known = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const found = () => known.find((path) => path && existsSync(path))

/**
 * The path of a Chromium that journeys can drive. Installs Debian's where that is allowed; otherwise throws a sentence that
 * says exactly what to install.
 */
export function ensureChromium(): string {
  const present = found()
  if (present) return present
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('No Chromium here: installing the one of Debian (about a minute).')
    const quiet = {
      stdio: ['ignore', 'ignore', 'inherit'] as ('ignore' | 'inherit')[],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }
    spawnSync('apt-get', ['update', '-qq'], quiet)
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-noto-cjk'], quiet)
    const installed = found()
    if (installed) return installed
  }
  throw new Error(
    'The browser journeys need Chromium. Install it (Debian: `sudo apt-get install chromium`), or set CHROMIUM_PATH to a Chromium or Chrome you have, for example CHROMIUM_PATH=/usr/bin/chromium.',
  )
}
