//! Tenants: whose a workflow is, and how much those hold at most.

use crate::api::error::EngineError;
use crate::api::ids::{TenantId, WorkflowId};
use crate::engine::Engine;

impl Engine {
    pub(crate) fn bounded(
        &mut self,
        workflow: WorkflowId,
        tenant: TenantId,
        holds: u32,
    ) -> Result<(), EngineError> {
        let workflows = &mut self.ledger.workflows;
        let key = *workflows.ids.get(&workflow).ok_or(EngineError::UnknownWorkflow)?;
        let w = &mut workflows.slab[key];
        if w.tenant != tenant {
            workflows.tenants.join(w.tenant, tenant, w.held);
            w.tenant = tenant;
        }
        workflows.tenants.bound(tenant, holds);
        Ok(())
    }

    /// Whether the workflow's tenant may hold one slot more, once it has given up so many.
    pub(crate) fn tenant_has_room(&self, workflow: usize, given_up: u32) -> bool {
        let workflows = &self.ledger.workflows;
        workflows.tenants.has_room(workflows.slab[workflow].tenant, given_up)
    }
}
