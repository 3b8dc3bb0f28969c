import { DrizzleQueryError } from 'drizzle-orm'
import pg from 'pg'
import { expect, test } from 'vitest'
import { brokenReference } from './problems.ts'

/** The error of a statement on a server that writes its messages in Korean. */
const errorOf = (statement: string, code: string) =>
  new Error('A procedure failed', {
    cause: new DrizzleQueryError(
      statement,
      [],
      Object.assign(new pg.DatabaseError('참조키 제약 조건', 1, 'error'), { code }),
    ),
  })

test('a broken reference is told apart in every language of the database', () => {
  expect(brokenReference(errorOf('insert into "likes" ("product_id") values ($1)', '23503'))).toBe('NOT_FOUND')
  expect(brokenReference(errorOf('update "plans" set "deleted_at" = $1', '23503'))).toBe('NOT_FOUND')
  expect(brokenReference(errorOf('delete from "products" where "id" = $1', '23503'))).toBe('CONFLICT')
  expect(brokenReference(errorOf('delete from "products" where "id" = $1', '23505'))).toBeNull()
})
