import { type Browser, chromium } from 'playwright'
import { ensureChromium } from '../../scripts/chromium.ts'

/** The browser of the measurements, in a window of 1280 × 800. */
export async function startBrowser(): Promise<Browser & AsyncDisposable> {
  return chromium.launch({
    executablePath: await ensureChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
  }) as Promise<Browser & AsyncDisposable>
}
