import * as z from 'zod/mini'
import {
  htmlPreview,
  htmlPreviewed,
  storeBanner,
  storeBannerChange,
  storeBannerCreate,
  storeBannerList,
  storeBannerMove,
  storeBannerPath,
  storeBannerPicture,
  storeBannerPicturePath,
  storeBrandPicture,
  storeFaq,
  storeFaqChange,
  storeFaqCreate,
  storeFaqList,
  storeFaqMove,
  storeFaqPath,
  storeNotice,
  storeNoticeChange,
  storeNoticeCreate,
  storeNoticePage,
  storeNoticePath,
  storeNoticeQuery,
  storeNoticeUpload,
  storePage,
  storePageChange,
  storePageCreate,
  storePageList,
  storePageMove,
  storePagePath,
  storeTextPicture,
  storeTextPictureAdded,
} from '../admin/content.ts'
import { storeSettings } from '../admin/settings.ts'
import { previewTime, storePreview } from '../admin/store.ts'
import { banner, faqEntry, faqQuery, notice, noticePage, sitePage, sitePageLink } from '../content.ts'
import { noticeId } from '../ids.ts'
import { pagingQuery } from '../paging.ts'
import { procedure } from './procedure.ts'

const tag = 'Content'

export const contentProcedures = {
  banners: procedure('public', 'GET', '/banners', {
    tag,
    summary: 'List banners',
    description: 'Returns the banners that are in their period, in order.',
  }).output(z.object({ items: z.array(banner) })),
  notices: procedure('public', 'GET', '/notices', {
    tag,
    summary: 'List notices',
    description: 'Returns pinned notices first.',
  })
    .input(pagingQuery)
    .output(noticePage),
  notice: procedure('public', 'GET', '/notices/{id}', { tag, summary: 'Retrieve a notice' })
    .input(z.object({ id: noticeId }))
    .output(notice),
  faq: procedure('public', 'GET', '/faq', { tag, summary: 'List frequently asked questions' })
    .input(faqQuery)
    .output(z.object({ items: z.array(faqEntry) })),
  pages: procedure('public', 'GET', '/pages', { tag, summary: 'List pages' }).output(
    z.object({ items: z.array(sitePageLink) }),
  ),
  page: procedure('public', 'GET', '/pages/{type}', {
    tag,
    summary: 'Retrieve a page',
    description: '`type` is `terms`, `privacy`, `refund`, `about` or the type of another page.',
  })
    .input(z.object({ type: z.string().check(z.regex(/^[a-z0-9-]{1,40}$/)) }))
    .output(sitePage),
}

const reads = { tag: 'Admin: content', permission: 'content:read' } as const
const writes = { ...reads, permission: 'content:write' } as const
const change = { ...writes, versioned: true, description: 'Fields that are left out stay as they are.' } as const
const move = { ...writes, versioned: true, description: 'The version is that of the list.' } as const
const preview = {
  ...writes,
  description:
    'Anyone with the link sees it for 7 days, and a closed store around it. With `at` they see all as it will be at that time.',
  status: 201,
} as const
const remove = { ...writes, versioned: true, status: 204 } as const

export const noticeProcedures = {
  list: procedure('operator', 'GET', '/admin/notices', {
    ...reads,
    summary: 'List notices in any state',
    description: 'Returns the latest first.',
  })
    .input(storeNoticeQuery)
    .output(storeNoticePage),
  get: procedure('operator', 'GET', '/admin/notices/{id}', { ...reads, summary: 'Retrieve a notice to edit' })
    .input(storeNoticePath)
    .output(storeNotice),
  create: procedure('operator', 'POST', '/admin/notices', {
    ...writes,
    summary: 'Create a notice',
    status: 201,
  })
    .input(storeNoticeCreate)
    .output(storeNotice),
  change: procedure('operator', 'PATCH', '/admin/notices/{id}', { ...change, summary: 'Change a notice' })
    .input(storeNoticeChange)
    .output(storeNotice),
  createPreview: procedure('operator', 'POST', '/admin/notices/{id}/previews', {
    ...preview,
    summary: 'Create a link that shows a notice in any state',
  })
    .input(z.extend(storeNoticePath, previewTime.shape))
    .output(storePreview),
  addFile: procedure('operator', 'POST', '/admin/notices/{id}/files', {
    ...writes,
    summary: 'Add a file to a notice',
    description: 'Visitors download it. It is the last of its files.',
    status: 201,
  })
    .input(storeNoticeUpload)
    .output(storeNotice),
  delete: procedure('operator', 'DELETE', '/admin/notices/{id}', { ...remove, summary: 'Delete a notice' }).input(
    storeNoticePath,
  ),
}

export const faqProcedures = {
  list: procedure('operator', 'GET', '/admin/faq', { ...reads, summary: 'List questions to edit' }).output(
    storeFaqList,
  ),
  get: procedure('operator', 'GET', '/admin/faq/{id}', { ...reads, summary: 'Retrieve a question to edit' })
    .input(storeFaqPath)
    .output(storeFaq),
  create: procedure('operator', 'POST', '/admin/faq', {
    ...writes,
    summary: 'Create a question',
    description: 'It is the last one.',
    status: 201,
  })
    .input(storeFaqCreate)
    .output(storeFaq),
  change: procedure('operator', 'PATCH', '/admin/faq/{id}', { ...change, summary: 'Change a question' })
    .input(storeFaqChange)
    .output(storeFaq),
  createPreview: procedure('operator', 'POST', '/admin/faq/{id}/previews', {
    ...preview,
    summary: 'Create a link that shows a question in any state',
  })
    .input(z.extend(storeFaqPath, previewTime.shape))
    .output(storePreview),
  move: procedure('operator', 'POST', '/admin/faq/{id}/move', { ...move, summary: 'Move a question' })
    .input(storeFaqMove)
    .output(storeFaqList),
  delete: procedure('operator', 'DELETE', '/admin/faq/{id}', { ...remove, summary: 'Delete a question' }).input(
    storeFaqPath,
  ),
}

export const pageProcedures = {
  list: procedure('operator', 'GET', '/admin/pages', { ...reads, summary: 'List pages to edit' }).output(storePageList),
  get: procedure('operator', 'GET', '/admin/pages/{type}', { ...reads, summary: 'Retrieve a page to edit' })
    .input(storePagePath)
    .output(storePage),
  create: procedure('operator', 'POST', '/admin/pages', {
    ...writes,
    summary: 'Create a page',
    description: 'It is the last one. Answers CONFLICT if there is a page of this type.',
    status: 201,
  })
    .input(storePageCreate)
    .output(storePage),
  change: procedure('operator', 'PATCH', '/admin/pages/{type}', {
    ...change,
    summary: 'Change a page',
    description: 'Fields that are left out stay as they are. The terms and the privacy policy stay published.',
  })
    .input(storePageChange)
    .output(storePage),
  createPreview: procedure('operator', 'POST', '/admin/pages/{type}/previews', {
    ...preview,
    summary: 'Create a link that shows a page in any state',
  })
    .input(z.extend(storePagePath, previewTime.shape))
    .output(storePreview),
  move: procedure('operator', 'POST', '/admin/pages/{type}/move', { ...move, summary: 'Move a page' })
    .input(storePageMove)
    .output(storePageList),
  delete: procedure('operator', 'DELETE', '/admin/pages/{type}', {
    ...remove,
    summary: 'Delete a page',
    versioned: true,
    description: 'Answers CONFLICT for the terms and the privacy policy, which members accept.',
  }).input(storePagePath),
}

export const bannerProcedures = {
  list: procedure('operator', 'GET', '/admin/banners', {
    ...reads,
    summary: 'List banners in any state',
  }).output(storeBannerList),
  get: procedure('operator', 'GET', '/admin/banners/{id}', { ...reads, summary: 'Retrieve a banner to edit' })
    .input(storeBannerPath)
    .output(storeBanner),
  create: procedure('operator', 'POST', '/admin/banners', {
    ...writes,
    summary: 'Create a banner',
    description:
      'It is the last one. Its pictures are set afterwards: a slide, a tile or a wide picture is created with the type NONE, which visitors do not see, and gets its own type once it has its picture.',
    status: 201,
  })
    .input(storeBannerCreate)
    .output(storeBanner),
  change: procedure('operator', 'PATCH', '/admin/banners/{id}', { ...change, summary: 'Change a banner' })
    .input(storeBannerChange)
    .output(storeBanner),
  move: procedure('operator', 'POST', '/admin/banners/{id}/move', { ...move, summary: 'Move a banner' })
    .input(storeBannerMove)
    .output(storeBannerList),
  delete: procedure('operator', 'DELETE', '/admin/banners/{id}', { ...remove, summary: 'Delete a banner' }).input(
    storeBannerPath,
  ),
  setPicture: procedure('operator', 'PUT', '/admin/banners/{id}/pictures/{place}', {
    ...writes,
    summary: 'Set a picture of a banner',
    description: 'Send multipart/form-data with one part `file`: JPEG, PNG, WebP, AVIF or GIF of at most 10 MB.',
  })
    .input(storeBannerPicture)
    .output(storeBanner),
  removePicture: procedure('operator', 'DELETE', '/admin/banners/{id}/pictures/{place}', {
    ...writes,
    summary: 'Remove a picture of a banner',
  })
    .input(storeBannerPicturePath)
    .output(storeBanner),
}

export const addPictureProcedure = procedure('operator', 'POST', '/admin/pictures', {
  ...writes,
  summary: 'Store a picture for a text',
  description: 'It is scaled for screens. Nothing shows it until a text names its address in an `<img>`.',
  status: 201,
})
  .input(storeTextPicture)
  .output(storeTextPictureAdded)

export const previewProcedure = procedure('operator', 'POST', '/admin/content/preview', {
  ...reads,
  summary: 'Show what visitors see of HTML',
  description: 'Returns the HTML without what pages do not allow, such as scripts and styles.',
})
  .input(htmlPreview)
  .output(htmlPreviewed)

export const brandPictureProcedure = procedure('operator', 'PUT', '/admin/settings/pictures/{picture}', {
  tag: 'Admin: settings',
  permission: 'settings:write',
  summary: 'Set a picture of the store',
  description:
    'Send multipart/form-data with one part `file`: SVG, PNG, JPEG, WebP or ICO of at most 5 MB. Pictures are removed by a change of the settings.',
})
  .input(storeBrandPicture)
  .output(storeSettings)
