import { existsSync } from 'node:fs'
import { installFromDebian } from './debian.ts'

const candidates = [
  process.env.CHROMIUM_PATH,
  // The same engine without windows to draw: browser tests take a third less time in it.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The path of a Chromium on this machine, or undefined. */
export const installedChromium = (): string | undefined => candidates.find((path) => path && existsSync(path))

/**
 * The path of a Chromium for the browser tests. Installs Debian's where that is allowed; otherwise
 * throws a sentence that says exactly what to install.
 */
export async function ensureChromium(): Promise<string> {
  const present = installedChromium()
  if (present) return present
  const installed = (await installFromDebian('chromium-headless-shell', 'fonts-noto-cjk')) && installedChromium()
  if (installed) return installed
  throw new Error(
    'The browser tests need Chromium. Install it (Debian: `sudo apt-get install chromium-headless-shell`), or set CHROMIUM_PATH to a Chromium or Chrome you have, for example CHROMIUM_PATH=/usr/bin/chromium.',
  )
}
