import * as z from 'zod/mini'
import {
  storeCategories,
  storeCategoryCreate,
  storeCategoryMove,
  storeCategoryPath,
  storeCategoryUpdate,
} from '../admin/categories.ts'
import { storeImport, storeImported, storeImportPath, storeImports, storeTablePath } from '../admin/imports.ts'
import { csvFile } from '../admin/lists.ts'
import {
  storePlan,
  storePlanChange,
  storePlanCreate,
  storePlanList,
  storePlanMove,
  storePlanPath,
} from '../admin/plans.ts'
import {
  storeProductBulk,
  storeProductBulkPreview,
  storeProductBulkPreviewQuery,
  storeProductBulkResult,
  storeProductRestore,
  storeProductsDelete,
  storeProductsDeleted,
} from '../admin/product-bulk.ts'
import {
  storeAttachmentOfUpload,
  storeAttachmentUpload,
  storeProduct,
  storeProductChange,
  storeProductCreate,
  storeProductDuplicate,
  storeProductExport,
  storeProductPage,
  storeProductParts,
  storeProductPartsChange,
  storeProductPath,
  storeProductQuery,
} from '../admin/products.ts'
import { previewTime, storePreview } from '../admin/store.ts'
import { productPictureProcedures } from './admin-media.ts'
import { procedure } from './procedure.ts'

const products = { tag: 'Admin: products', permission: 'products:read' } as const
const productWrites = { ...products, permission: 'products:write' } as const

export const productProcedures = {
  ...productPictureProcedures,
  list: procedure('operator', 'GET', '/admin/products', {
    ...products,
    summary: 'List products in any state',
    description: 'Returns the latest first, unless `sort` says otherwise.',
  })
    .input(storeProductQuery)
    .output(storeProductPage),
  export: procedure('operator', 'GET', '/admin/product-list.csv', {
    ...products,
    summary: 'Export the list of products as CSV',
    description:
      'Returns all products that fit the filters, in the order of the list, as a stream. The audit log names the export.',
  })
    .input(storeProductExport)
    .output(csvFile),
  get: procedure('operator', 'GET', '/admin/products/{code}', { ...products, summary: 'Retrieve a product to edit' })
    .input(storeProductPath)
    .output(storeProduct),
  create: procedure('operator', 'POST', '/admin/products', {
    ...productWrites,
    summary: 'Create a product',
    description: 'It begins as a draft, with a plain poster.',
    status: 201,
  })
    .input(storeProductCreate)
    .output(storeProduct),
  change: procedure('operator', 'PATCH', '/admin/products/{code}', {
    ...productWrites,
    summary: 'Change a product and its options',
    versioned: true,
  })
    .input(storeProductChange)
    .output(storeProduct),
  duplicate: procedure('operator', 'POST', '/admin/products/{code}/duplicate', {
    ...productWrites,
    summary: 'Duplicate a product as a draft',
    description:
      'Copies texts, translations, pictures, categories, options with their prices, lessons and files. The copy shows the same videos of the library. Its sale period and what was sold stay with the original.',
    status: 201,
  })
    .input(storeProductDuplicate)
    .output(storeProduct),
  changeMany: procedure('operator', 'POST', '/admin/products/bulk', {
    ...productWrites,
    summary: 'Change many products',
    description:
      'Changes the status, the access, categories, tags and discounts. Each product is changed by itself, and the answer has a result for each. One without content is not put on sale.',
  })
    .input(storeProductBulk)
    .output(storeProductBulkResult),
  previewMany: procedure('operator', 'POST', '/admin/products/bulk/preview', {
    ...productWrites,
    summary: 'Preview a change of many products',
    description: 'Says how many products are changed, and the lowest and the highest price that a discount makes.',
  })
    .input(storeProductBulkPreviewQuery)
    .output(storeProductBulkPreview),
  restoreMany: procedure('operator', 'POST', '/admin/products/bulk/restore', {
    ...productWrites,
    summary: 'Restore many products as they were before a change',
    description:
      'Takes the `before` of the results of such a change. A product that was changed since is left as it is, and its result says VERSION_CONFLICT.',
  })
    .input(storeProductRestore)
    .output(storeProductBulkResult),
  delete: procedure('operator', 'DELETE', '/admin/products/{code}', {
    ...productWrites,
    summary: 'Delete a draft that was never sold',
    versioned: true,
    description:
      'Answers CONFLICT with the reason for a product that is not a draft, or that was ordered, granted, put into a cart, watched or written about, to which a banner or the home page leads, or whose video is being encoded.',
    status: 204,
  }).input(storeProductPath),
  deleteMany: procedure('operator', 'POST', '/admin/products/bulk/delete', {
    ...productWrites,
    summary: 'Delete drafts that were never sold',
    description:
      'Each product is deleted by itself, and the answer has a result for each: the reason for those that were not deleted.',
  })
    .input(storeProductsDelete)
    .output(storeProductsDeleted),
  createPreview: procedure('operator', 'POST', '/admin/products/{code}/previews', {
    ...productWrites,
    summary: 'Create a link that shows a product in any state',
    description:
      'Anyone with the link sees the page of the product for 7 days, and a closed store around it. With `at` they see all as it will be at that time.',
    status: 201,
  })
    .input(z.extend(storeProductPath, previewTime.shape))
    .output(storePreview),
  parts: procedure('operator', 'GET', '/admin/products/{code}/parts', {
    ...products,
    summary: 'List the lessons and files of a product',
  })
    .input(storeProductPath)
    .output(storeProductParts),
  changeParts: procedure('operator', 'PATCH', '/admin/products/{code}/parts', {
    ...productWrites,
    summary: 'Change the lessons and files of a product',
    versioned: true,
    description: 'A list replaces the present one. The video of a removed lesson is deleted later.',
  })
    .input(storeProductPartsChange)
    .output(storeProductParts),
  addAttachment: procedure('operator', 'POST', '/admin/products/{code}/attachments', {
    ...productWrites,
    summary: 'Add a file to a product',
    description: 'It is the last of its files.',
    status: 201,
  })
    .input(storeAttachmentUpload)
    .output(storeProductParts),
  attachUpload: procedure('operator', 'POST', '/admin/products/{code}/attachments/uploads', {
    ...productWrites,
    summary: 'Add an uploaded file to a product',
    description:
      'Takes a complete upload of `/uploads` whose metadata names no product, of at most 2 GB. It is the last of the product’s files, and the upload is removed. The file has the ID of its upload: a repeated request answers the same.',
    status: 201,
  })
    .input(storeAttachmentOfUpload)
    .output(storeProductParts),
}

export const categoryProcedures = {
  list: procedure('operator', 'GET', '/admin/categories', {
    ...products,
    summary: 'List the category tree to edit',
  }).output(storeCategories),
  create: procedure('operator', 'POST', '/admin/categories', {
    ...productWrites,
    summary: 'Create a category',
    description: 'It is the last of its parent.',
    status: 201,
  })
    .input(storeCategoryCreate)
    .output(storeCategories),
  update: procedure('operator', 'PATCH', '/admin/categories/{id}', {
    ...productWrites,
    summary: 'Rename a category or change its slug',
    versioned: true,
    description: 'The former address redirects to the new one.',
  })
    .input(storeCategoryUpdate)
    .output(storeCategories),
  move: procedure('operator', 'POST', '/admin/categories/{id}/move', {
    ...productWrites,
    summary: 'Move a category with all below it',
    versioned: true,
    description: 'Its products join the categories above it and leave the former ones.',
  })
    .input(storeCategoryMove)
    .output(storeCategories),
  delete: procedure('operator', 'DELETE', '/admin/categories/{id}', {
    ...productWrites,
    summary: 'Delete an empty category',
    versioned: true,
    description: 'Answers CONFLICT while categories, products or plans are in it.',
  })
    .input(storeCategoryPath)
    .output(storeCategories),
}

const plans = { ...products, tag: 'Admin: plans' } as const
const planWrites = { ...productWrites, tag: 'Admin: plans' } as const

export const planProcedures = {
  list: procedure('operator', 'GET', '/admin/plans', {
    ...plans,
    summary: 'List plans, on sale or not',
    description: 'Returns them in the order in which visitors see them.',
  }).output(storePlanList),
  get: procedure('operator', 'GET', '/admin/plans/{id}', { ...plans, summary: 'Retrieve a plan to edit' })
    .input(storePlanPath)
    .output(storePlan),
  create: procedure('operator', 'POST', '/admin/plans', {
    ...planWrites,
    summary: 'Create a plan',
    description: 'It is not on sale yet and opens all products that plans open.',
    status: 201,
  })
    .input(storePlanCreate)
    .output(storePlan),
  change: procedure('operator', 'PATCH', '/admin/plans/{id}', {
    ...planWrites,
    summary: 'Change a plan',
    versioned: true,
    description: 'Subscribers keep the price and the cycle that they agreed to.',
  })
    .input(storePlanChange)
    .output(storePlan),
  move: procedure('operator', 'POST', '/admin/plans/{id}/move', {
    ...planWrites,
    summary: 'Change the order of plans',
    versioned: true,
    description: 'The version is that of the list.',
  })
    .input(storePlanMove)
    .output(storePlanList),
  delete: procedure('operator', 'DELETE', '/admin/plans/{id}', {
    ...planWrites,
    summary: 'Delete a plan that nobody has subscribed to',
    versioned: true,
    description: 'Answers CONFLICT for a plan with subscriptions; take it off sale instead.',
    status: 204,
  }).input(storePlanPath),
}

const imports = { tag: 'Admin: imports', permission: 'products:write' } as const

/** A catalogue as files: what the commands `catalog import` and `catalog export` do. */
export const importProcedures = {
  list: procedure('operator', 'GET', '/admin/imports', {
    ...imports,
    permission: 'products:read',
    summary: 'List the imports of the last 30 days',
  }).output(storeImports),
  create: procedure('operator', 'POST', '/admin/imports', {
    ...imports,
    summary: 'Import a table',
    description:
      'Send multipart/form-data with `table` and `file`, a CSV of at most 10 MB. `files` are the names and ids of completed uploads without a product: pictures and files of at most 50 MB that cells name. All or nothing: a problem is answered with its row and column, and nothing is imported. `dryRun` says what would change. Banners, notices, FAQ and pages need the permission `content:write` besides, and other videos than before `videos:write`. Answers CONFLICT while another import runs.',
  })
    .input(storeImport)
    .output(storeImported),
  undo: procedure('operator', 'POST', '/admin/imports/{id}/undo', {
    ...imports,
    summary: 'Undo an import',
    description:
      'Restores what the import has changed and removed. Products that it has added and that are on sale are ended. Answers CONFLICT if the table has changed since, or if another import runs.',
    status: 204,
  }).input(storeImportPath),
  exportTable: procedure('operator', 'GET', '/admin/catalog/{table}', {
    ...imports,
    permission: 'products:read',
    summary: 'Export a table',
    description: 'As an import reads it. Banners, notices, FAQ and pages need the permission `content:read` besides.',
  })
    .input(storeTablePath)
    .output(csvFile),
}
