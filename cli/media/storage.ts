import { join } from 'node:path'
import type { Command } from 'commander'
import { readConfig } from '#api/config.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import { copyMedia } from '#api/platform/storage/copy-media.ts'
import { createDiskStorage } from '#api/platform/storage/disk-storage.ts'
import { StorageUnavailable } from '#api/platform/storage/storage.ts'
import { readEnvironment } from '#server/environment.ts'
import { open } from '../platform/open.ts'

/** The interval of progress lines, because a copy may take hours. */
const reportMilliseconds = 10_000

export const storageCommands = (program: Command) => {
  const media = program.command('media').description('Copy media files, list shared URLs')
  media
    .command('copy')
    .description('Copy missing files from MARQUEE_DATA/media to the S3 storage')
    .option('--back', 'copy from the S3 storage to MARQUEE_DATA/media instead')
    .action(async ({ back }: { back?: boolean }) => {
      if (!readConfig(readEnvironment().variables).mediaStorage)
        throw new OperatorError(
          'MEDIA_S3_ENDPOINT is missing. Set it to the S3 storage, for example https://s3.example.com.',
        )
      await using opened = await open()
      const { dataFolder, storage } = opened.deps
      const disk = createDiskStorage(join(dataFolder, 'media'))
      const [from, to] = back ? [storage, disk] : [disk, storage]
      await from.check()
      await to.check()
      let [copied, left, bytes] = [0, 0, 0]
      const summary = () => `${copied} files copied (${(bytes / 1e6).toFixed(1)} MB), ${left} were there already`
      const reporter = setInterval(() => console.error(`${summary()} …`), reportMilliseconds)
      try {
        await copyMedia(from, to, (file) => {
          if (!file.copied) left++
          else {
            copied++
            bytes += file.bytes
          }
        })
      } catch (error) {
        if (!(error instanceof StorageUnavailable)) throw error
        throw new OperatorError(`${error.message}\n${summary()}. Run it again to continue.`)
      } finally {
        clearInterval(reporter)
      }
      console.log(`${summary()}.`)
    })
}
