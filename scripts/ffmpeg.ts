import { spawnSync } from 'node:child_process'
import { installFromDebian } from './debian.ts'

const works = (program: string) => spawnSync(program, ['-version'], { stdio: 'ignore' }).status === 0
const isInstalled = () => works('ffmpeg') && works('ffprobe')

/**
 * Ensures that ffmpeg and ffprobe are on the PATH: tests make films with them, package these and
 * decode the streams. Installs Debian's where that is allowed; otherwise throws a sentence that
 * says exactly what to install.
 */
export async function ensureFfmpeg(): Promise<void> {
  if (isInstalled()) return
  if ((await installFromDebian('ffmpeg')) && isInstalled()) return
  throw new Error(
    'The tests of videos need ffmpeg and ffprobe, 5.1 or newer, on the PATH. Install them (Debian: `sudo apt-get install ffmpeg`; macOS: `brew install ffmpeg`).',
  )
}
