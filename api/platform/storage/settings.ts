import * as z from 'zod'
import { OperatorError } from '#api/platform/log/log.ts'

const says = (sentence: string) => ({ error: sentence })
const name = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/

/** The variables of the media storage and of the proxy that serves its files. */
export const mediaVariables = {
  MEDIA_S3_ENDPOINT: z
    .string()
    .regex(
      /^https?:\/\/[^/?#@\s]+\/?$/,
      says('must be the origin of an S3-compatible storage, without the bucket, for example https://s3.example.com'),
    )
    .transform((url) => url.replace(/\/$/, ''))
    .optional()
    .meta({
      description: 'Origin of an S3-compatible storage for media. Without it, media are stored in MARQUEE_DATA/media.',
      example: 'https://s3.example.com',
    }),
  MEDIA_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, says('must be the name of a bucket, for example marquee-media'))
    .optional()
    .meta({ description: 'Bucket of the storage.', example: 'marquee-media' }),
  MEDIA_S3_REGION: z
    .string()
    .regex(name, says('must be a region of the storage, for example us-east-1'))
    .optional()
    .meta({ description: 'Region that requests are signed for; us-east-1 if not set.', example: 'ap-northeast-2' }),
  MEDIA_S3_ACCESS_KEY: z.string().optional().meta({ description: 'Key of the storage. Required with a bucket.' }),
  MEDIA_S3_SECRET_KEY: z.string().optional().meta({ description: 'Secret of that key.' }),
  MEDIA_S3_PREFIX: z
    .string()
    .transform((prefix) => prefix.replace(/^\/+|\/+$/g, ''))
    .refine((prefix) => prefix.split('/').every((part) => name.test(part)), {
      ...says('must be names with slashes between them, for example shop/media'),
    })
    .optional()
    .meta({ description: 'Prefix of every key, if the bucket also contains other files.', example: 'shop/media' }),
  MEDIA_ACCEL: z
    .string()
    .regex(
      /^\/(?:[\w-]+\/)+$/,
      says('must be the path of an internal location of the proxy, for example /stored-media/'),
    )
    .optional()
    .meta({
      description: 'Internal location of a proxy that sends media. Requires TRUSTED_PROXIES.',
      example: '/stored-media/',
    }),
}

type Variables = Partial<Record<keyof typeof mediaVariables, string | undefined>>

const needed = [
  ['MEDIA_S3_ENDPOINT', 'the origin of the storage, for example https://s3.example.com'],
  ['MEDIA_S3_BUCKET', 'the name of the bucket, for example marquee-media'],
  ['MEDIA_S3_ACCESS_KEY', 'an access key that may list, read, write and delete, for example AKIA…'],
  ['MEDIA_S3_SECRET_KEY', 'the secret of that key'],
] as const

/**
 * Returns the configured storage, or null for the local disk. An incomplete configuration is
 * refused.
 */
export const readMediaStorage = (values: Variables) => {
  const isSet = Object.entries(values).some(([variable, value]) => variable.startsWith('MEDIA_S3_') && value)
  if (!isSet) return null
  for (const [variable, what] of needed)
    if (!values[variable]) throw new OperatorError(`${variable} is missing. An S3-compatible storage needs ${what}.`)
  return {
    endpoint: values.MEDIA_S3_ENDPOINT ?? '',
    bucket: values.MEDIA_S3_BUCKET ?? '',
    region: values.MEDIA_S3_REGION ?? 'us-east-1',
    accessKey: values.MEDIA_S3_ACCESS_KEY ?? '',
    secretKey: values.MEDIA_S3_SECRET_KEY ?? '',
    prefix: values.MEDIA_S3_PREFIX ?? '',
  }
}
