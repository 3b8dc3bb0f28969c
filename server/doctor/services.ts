import { lookup } from 'node:dns/promises'
import { statfs } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { Config } from '#api/config.ts'
import { findPrograms, runProgram } from '#api/modules/media/package/programs.ts'
import { EncoderMissing } from '#api/modules/media/package/refusals.ts'
import { asError } from '#api/platform/log/log.ts'
import { createSmtpMailer } from '#api/platform/mail/transport.ts'
import { createDiskStorage } from '#api/platform/storage/disk-storage.ts'
import { createS3Storage } from '#api/platform/storage/s3-storage.ts'
import { minFreeBytes } from '#api/platform/telemetry/telemetry.ts'
import { errorCode } from '#contract/safe-error.ts'
import { advised, examine, type Finding, ok, wrong } from './finding.ts'

/** Checks that the mail server answers and accepts the sign-in. Sends nothing. */
export const examineMail = async ({ mail, environment, demo }: Config): Promise<Finding[]> => {
  if (!mail)
    return demo
      ? [ok('Email', `not sent in ${environment}; /mailbox shows them`)]
      : [wrong('Email', 'SMTP_URL is not set, so nobody can sign up or reset a password. Set SMTP_URL and MAIL_FROM.')]
  const { host } = new URL(mail.url)
  const mailer = createSmtpMailer(mail)
  try {
    const refusal = await mailer.check()
    return refusal === null
      ? [ok('Email', `${host} accepts the sign-in`)]
      : [
          wrong(
            'Email',
            `The mail server ${host} of SMTP_URL cannot be used: ${refusal.reason}. Check its address and password.`,
          ),
        ]
  } finally {
    mailer.close()
  }
}

/** Checks that media can be stored. */
export const examineStorage = ({ mediaStorage, dataFolder }: Config): Promise<Finding[]> =>
  examine('Media', async () => {
    const folder = join(dataFolder, 'media')
    const failures: unknown[] = []
    const fault = { onSuccess: () => undefined, onFailure: (error: unknown) => void failures.push(error) }
    const faults = { reading: fault, writing: fault, broken: () => undefined }
    if (!mediaStorage) {
      await createDiskStorage(folder, faults).check()
      const [error] = failures
      return error
        ? [wrong('Media', `${folder} accepts no files: ${asError(error).message}. Free some space.`)]
        : [ok('Media', `${folder} accepts files`)]
    }
    await createS3Storage(mediaStorage, faults).check()
    const { bucket, endpoint } = mediaStorage
    // The store starts without an answer, because the storage may be back soon.
    if (failures.length > 0)
      return [wrong('Media', `The storage at ${endpoint} does not answer. Check MEDIA_S3_ENDPOINT.`)]
    return [ok('Media', `the bucket ${bucket} accepts files`)]
  })

/** Milliseconds. */
const encoderTimeout = 20_000

/** Checks that videos can be encoded. A store without films does not need it. */
export const examineEncoder = ({ ffmpegPath }: Config): Promise<Finding[]> =>
  examine('Videos', async () => {
    try {
      const { ffmpeg } = await findPrograms(ffmpegPath ?? undefined)
      let encoders = ''
      await runProgram(ffmpeg, ['-hide_banner', '-encoders'], {
        signal: AbortSignal.timeout(encoderTimeout),
        onOutput: (bytes) => {
          encoders += bytes
        },
      })
      return encoders.includes('libx264')
        ? [ok('Videos', `${ffmpeg} encodes them`)]
        : [wrong('Videos', `${ffmpeg} lacks libx264. Install an ffmpeg with it, or name it in FFMPEG_PATH.`)]
    } catch (error) {
      if (error instanceof EncoderMissing) return [advised('Videos', error.message)]
      throw error
    }
  })

const gigabyte = 1e9

/** Returns the finding about a disk with `free` of `total` bytes. */
export const judgeDisk = (folder: string, free: number, total: number): Finding => {
  const space = `${(free / gigabyte).toFixed(1)} GB of ${(total / gigabyte).toFixed(1)} GB`
  if (free < minFreeBytes)
    return wrong('Disk', `The disk of ${folder} has ${space} left. Free some, or move MARQUEE_DATA.`)
  if (free < total / 10)
    return advised('Disk', `The disk of ${folder} has ${space} left. Uploads need twice the size of a film.`)
  return ok('Disk', `${space} left at ${folder}`)
}

/** Checks the disk of the data folder. */
export const examineDisk = ({ dataFolder }: Config): Promise<Finding[]> =>
  examine('Disk', async () => {
    try {
      const { bavail, blocks, bsize } = await statfs(dataFolder)
      return [judgeDisk(dataFolder, bavail * bsize, blocks * bsize)]
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error
      return [
        advised('Disk', `${dataFolder} does not exist yet. If the service has another folder, set MARQUEE_DATA to it.`),
      ]
    }
  })

/** The outcome of looking up the address of a host. */
export type Lookup = { seconds: number; failure: string | null }

/** Seconds from which a look-up delays each new connection noticeably. */
const slowLookup = 1

/** Returns the finding about the look-up of a host. `variable` is the setting that names it. */
export const judgeLookup = (host: string, variable: string, { seconds, failure }: Lookup): Finding => {
  if (failure !== null)
    return wrong(
      'DNS',
      `The host ${host} of ${variable} cannot be found (${failure}). Check the name and the DNS servers.`,
    )
  if (seconds >= slowLookup)
    return advised('DNS', `Finding ${host} of ${variable} took ${seconds.toFixed(1)} seconds. Check the DNS servers.`)
  return ok('DNS', `${host} was found in ${Math.round(seconds * 1000)} ms`)
}

/** Checks that the hosts of the configuration are found quickly, for each new connection. */
export const examineNames = ({ database, replica, mail, mediaStorage, otlp }: Config): Promise<Finding[]> =>
  examine('DNS', async () => {
    const addresses = {
      DATABASE_OWNER_URL: database?.ownerUrl,
      DATABASE_URL: database?.url,
      JOBS_DATABASE_URL: database?.jobsUrl,
      DATABASE_REPLICA_URL: replica?.url,
      SMTP_URL: mail?.url,
      MEDIA_S3_ENDPOINT: mediaStorage?.endpoint,
      OTEL_EXPORTER_OTLP_ENDPOINT: otlp?.endpoint,
    }
    const findings = new Map<string, Finding>()
    for (const [variable, address] of Object.entries(addresses)) {
      const host = address && new URL(address).hostname.replace(/^\[|\]$/g, '')
      if (!host || isIP(host) > 0 || findings.has(host)) continue
      const begun = performance.now()
      const failure = await lookup(host).then(
        () => null,
        (error: unknown) => errorCode(error) ?? asError(error).message,
      )
      findings.set(host, judgeLookup(host, variable, { seconds: (performance.now() - begun) / 1000, failure }))
    }
    return [...findings.values()]
  })
