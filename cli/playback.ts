import { type Command, InvalidArgumentError } from 'commander'
import { findByWatermark, keySystems, listLeaks, setDrm } from '#api/modules/playback/protection.ts'
import { wholeNumber } from './platform/arguments.ts'
import { actorOf, type StoreOptions, transact, transactWithZone } from './platform/open.ts'
import { printRows, timeOf } from './platform/print.ts'

/** Parses a watermark code in hexadecimal, in either case. */
const readWatermark = (text: string): string => {
  const mark = text.trim().toLowerCase()
  if (!/^[0-9a-f]{8}$/.test(mark))
    throw new InvalidArgumentError('A watermark has eight characters, 0 to 9 and A to F, for example 0B1C2D3E.')
  return mark
}

/** Returns a group of commands that another file has created. */
const groupOf = (program: Command, name: string): Command => {
  const group = program.commands.find((command) => command.name() === name)
  if (!group) throw new Error(`There is no command ${name}.`)
  return group
}

interface DrmOptions extends StoreOptions {
  product: string
  lesson?: number
  system: string
  licenceUrl?: string
  certificateUrl?: string
}

/**
 * Lists shared streams (`media leaks`) and members by watermark (`watermark`), and sets licence
 * servers (`video drm`).
 */
export const protectionCommands = (program: Command, store: (command: Command) => Command) => {
  store(
    groupOf(program, 'media')
      .command('leaks')
      .description('List stream and file URLs that other people used, newest first'),
  )
    .option('--watermark <code>', 'only this watermark (eight characters)', readWatermark)
    .option('--limit <count>', 'maximum number of results', wholeNumber, 50)
    .action(async (options: StoreOptions & { watermark?: string; limit: number }) => {
      const { watermark = null, limit } = options
      const { answer: rows, timeZone } = await transactWithZone(options, (ctx) => listLeaks(ctx, watermark, limit))
      printRows(
        rows.map(({ lastAt, email, memberId, product, asset, addresses, requests, endedBy }) => ({
          last: timeOf(lastAt),
          member: email || memberId,
          product: product ?? asset,
          'requested from': addresses.join(', '),
          minutes: requests,
          'play ended': endedBy ?? '',
        })),
        'No leaks found.',
        timeZone,
      )
    })

  store(program.command('watermark').description('Find the member behind a watermark'))
    .argument('<code>', 'the eight characters of the watermark', readWatermark)
    .action(async (watermark: string, options: StoreOptions) => {
      const rows = await transact(options, (ctx) => findByWatermark(ctx, watermark))
      printRows(rows, 'No member of this store has that watermark.')
    })

  store(groupOf(program, 'video').command('drm').description('Set the license server of an encrypted video'))
    .requiredOption('--product <code>', 'the product')
    .option('--lesson <place>', 'lesson number from 1 (default: the product’s own video)', wholeNumber)
    .requiredOption('--system <name>', keySystems.join(', '))
    .option('--licence-url <url>', 'license server URL; omit it to remove the system')
    .option('--certificate-url <url>', 'certificate URL (FairPlay)')
    .action(async (options: DrmOptions) => {
      const { systems, asset } = await transact(options, (ctx) =>
        setDrm(ctx, actorOf(options), {
          product: options.product,
          lesson: options.lesson ?? null,
          keySystem: options.system,
          licenseUrl: options.licenceUrl ?? null,
          certificateUrl: options.certificateUrl ?? null,
        }),
      )
      console.log(
        systems.length > 0 ? `${asset} needs licences of ${systems.join(', ')}.` : `${asset} is not encrypted.`,
      )
    })
}
