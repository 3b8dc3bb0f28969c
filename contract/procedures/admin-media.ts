import {
  posterChoice,
  posterChoices,
  storeGalleryChange,
  storeGalleryUpload,
  storePosterPath,
  storePosterUpload,
  storeProductPictures,
} from '../admin/product-pictures.ts'
import { storeProductPath } from '../admin/products.ts'
import { procedure } from './procedure.ts'

const products = { tag: 'Admin: products', permission: 'products:read' } as const
const productWrites = { ...products, permission: 'products:write' } as const
const pictureUpload = 'Send multipart/form-data with one part `file`: JPEG, PNG, WebP, AVIF or GIF of at most 10 MB.'

export const productPictureProcedures = {
  pictures: procedure('operator', 'GET', '/admin/products/{code}/pictures', {
    ...products,
    summary: 'List the pictures of a product to edit',
  })
    .input(storeProductPath)
    .output(storeProductPictures),
  setPicture: procedure('operator', 'PUT', '/admin/products/{code}/pictures/{place}', {
    ...productWrites,
    summary: 'Set the poster of a product, or the picture of its upright cards',
    description: pictureUpload,
  })
    .input(storePosterUpload)
    .output(storeProductPictures),
  removePicture: procedure('operator', 'DELETE', '/admin/products/{code}/pictures/{place}', {
    ...productWrites,
    summary: 'Remove the poster of a product, or the picture of its upright cards',
    description: 'A product without a poster has a plain one. Upright cards without a picture cut the poster.',
  })
    .input(storePosterPath)
    .output(storeProductPictures),
  addPicture: procedure('operator', 'POST', '/admin/products/{code}/pictures', {
    ...productWrites,
    summary: 'Add a picture to the page of a product',
    description: `It is the last one, of at most 30. ${pictureUpload}`,
    status: 201,
  })
    .input(storeGalleryUpload)
    .output(storeProductPictures),
  changePictures: procedure('operator', 'PATCH', '/admin/products/{code}/pictures', {
    ...productWrites,
    summary: 'Order, describe or remove pictures of the page of a product',
    versioned: true,
  })
    .input(storeGalleryChange)
    .output(storeProductPictures),
  posters: procedure('operator', 'GET', '/admin/products/{code}/posters', {
    ...products,
    summary: 'List the poster candidates of a product’s video',
    description: 'Empty while there is no video.',
  })
    .input(storeProductPath)
    .output(posterChoices),
  choosePoster: procedure('operator', 'POST', '/admin/products/{code}/poster', {
    ...productWrites,
    summary: 'Choose the poster of a product',
    status: 204,
  }).input(posterChoice),
  removeVideo: procedure('operator', 'DELETE', '/admin/products/{code}/video', {
    ...products,
    permission: 'videos:write',
    summary: 'Remove the video of a product',
    description:
      'It closes at once, also for current viewers, and what is being encoded for the product itself is canceled. Its files are deleted within hours, unless something else shows it. Answers CONFLICT with the reason if visitors or buyers would have nothing else to watch or download.',
    status: 204,
  }).input(storeProductPath),
}
