import { type Command, InvalidArgumentError } from 'commander'
import { languageLabel, languageTag } from '#api/modules/media/package/refusals.ts'
import { choosePoster, listPosters } from '#api/modules/media/pictures.ts'
import type { TrackFile } from '#api/modules/media/video-files.ts'
import { listJobs, showJob } from '#api/modules/media/video-job-states.ts'
import { cancelJob, removeVideo, retryJob } from '#api/modules/media/video-jobs.ts'
import { formatSize } from '#api/modules/media/video-sources.ts'
import { findTarget } from '#api/modules/media/videos.ts'
import { isFailure } from '#api/platform/context.ts'
import { type VideoJobId, videoJobId } from '#contract/ids.ts'
import { idArgument, wholeNumber } from '../platform/arguments.ts'
import { actorOf, inStore, type StoreOptions, transact, transactWithZone } from '../platform/open.ts'
import { printRows, timeOf } from '../platform/print.ts'
import { type AddOptions, addVideos } from './add.ts'
import { describeJob, targetOf } from './describe-job.ts'

interface PlaceOptions extends StoreOptions {
  product: string
  lesson?: number
}

const seconds = (text: string) => {
  if (!/^\d{1,5}(?:\.\d+)?$/.test(text)) throw new InvalidArgumentError('Enter seconds, for example 30.')
  return Number(text)
}

const language = (text: string) => {
  const tag = languageTag(text)
  if (!tag) throw new InvalidArgumentError('Enter a language by its tag, for example ko, en or pt-BR.')
  return tag
}

const track = (text: string, before: TrackFile[]): TrackFile[] => {
  const [, tag = '', path] = /^([^=]+)=(.+)$/s.exec(text) ?? []
  if (!path) throw new InvalidArgumentError('Enter a language and a file, for example ko=lecture.ko.srt.')
  return [...before, { language: language(tag), label: languageLabel(language(tag)), path }]
}

const readId = idArgument(videoJobId, 'Enter the id of a job, as `videos` shows it.')

/** Commands that turn an operator's files into streams. */
export const videoCommands = (program: Command, store: (command: Command) => Command) => {
  const video = program.command('video').description('Encode and manage videos')
  const ofProduct = (command: Command) =>
    store(command)
      .requiredOption('--product <code>', 'product code')
      .option('--lesson <number>', 'lesson number, from 1', wholeNumber)

  ofProduct(video.command('add').description('Add a video to a product; several files become its lessons'))
    .argument('<files...>', 'films')
    .option('--caption <language=file>', 'captions (SRT or WebVTT); can be repeated', track, [])
    .option('--audio <language=file>', 'additional audio track; can be repeated', track, [])
    .option('--chapters <file>', 'chapter file with lines such as: 01:30 The second part')
    .option('--language <tag>', 'language of the video’s own audio', language)
    .option('--preview <seconds>', 'length of the public preview; 0 for none', seconds)
    .option('--preview-start <seconds>', 'start of the preview', seconds)
    .option('--poster <number>', 'use this frame as the product’s poster', wholeNumber)
    .option('--keep-source', 'keep the source file')
    .option('--no-wait', 'return without waiting for encoding')
    .action(async (files: string[], options: AddOptions) => {
      const jobs = await inStore(options, (ctx, deps) => addVideos(ctx, deps, files, options))
      if (jobs === null) process.exitCode = 130
      else if (jobs.some(({ status }) => status !== 'READY')) process.exitCode = 1
    })

  store(program.command('videos').description('List encoding jobs, newest first'))
    .option('--limit <count>', 'maximum number of results', wholeNumber, 30)
    .action(async (options: StoreOptions & { limit: number }) => {
      const { answer, timeZone } = await transactWithZone(options, (ctx) =>
        listJobs(ctx, { page: 1, size: options.limit }),
      )
      printRows(
        answer.items.map((job) => ({
          since: timeOf(job.createdAt),
          status: job.status,
          percent: `${Math.floor(job.percent)} %`,
          for: targetOf(job),
          file: job.file.name,
          size: formatSize(job.file.bytes),
          id: job.id,
          why: job.why?.sentence,
        })),
        'No video jobs.',
        timeZone,
      )
    })

  store(video.command('show').description('Show an encoding job’s progress'))
    .argument('<job>', 'the id of the job', readId)
    .action(async (id: VideoJobId, options: StoreOptions) => {
      console.log(describeJob(await transact(options, (ctx) => showJob(ctx, id))))
    })

  for (const [name, change, words] of [
    ['cancel', cancelJob, 'Cancel a queued or running job'],
    ['retry', retryJob, 'Retry a failed or canceled job'],
  ] as const)
    store(video.command(name).description(words))
      .argument('<job>', 'the id of the job', readId)
      .action(async (id: VideoJobId, options: StoreOptions) => {
        console.log(describeJob(await transact(options, (ctx) => change(ctx, actorOf(options), id))))
      })

  ofProduct(video.command('remove').description('Remove the video of a product or lesson immediately')).action(
    async (options: PlaceOptions) => {
      await transact(options, async (ctx) => {
        const target = await findTarget(ctx, options)
        return isFailure(target) ? target : removeVideo(ctx, actorOf(options), target)
      })
      console.log('Video removed. Its files are deleted within hours.')
    },
  )

  ofProduct(video.command('poster').description('List poster frames, or choose one'))
    .option('--use <number>', 'which', wholeNumber)
    .action(async (options: PlaceOptions & { use?: number }) => {
      const { use } = options
      if (use === undefined) {
        const keys = await transact(options, (ctx) => listPosters(ctx, options))
        printRows(
          keys.map((key, at) => ({ number: at + 1, picture: `/media/${key}` })),
          'No poster frames.',
        )
        return
      }
      const { url } = await inStore(options, (ctx, deps) =>
        choosePoster({ ...ctx, storage: deps.storage }, actorOf(options), { ...options, number: use }),
      )
      console.log(`New poster of ${options.product}: ${url}`)
    })
}
