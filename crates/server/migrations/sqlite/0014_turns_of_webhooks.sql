-- Which delivery comes next is found without reading the others that wait: the webhooks that have any, of each its oldest, and
-- whether one is under way. A claim that has ended stays above 0 until the next.
DROP INDEX webhook_delivery_due;
DROP INDEX webhook_delivery_webhook;
CREATE INDEX webhook_delivery_next ON webhook_delivery (webhook_id, due_at_ms);
CREATE INDEX webhook_delivery_claimed ON webhook_delivery (webhook_id, claimed_until_ms) WHERE claimed_until_ms > 0;
CREATE INDEX webhook_delivery_created ON webhook_delivery (created_at_ms);

-- When a delivery of this webhook was last claimed: the account that has waited for longest comes next.
ALTER TABLE webhook ADD COLUMN served_at_ms INTEGER NOT NULL DEFAULT 0;
