package io.holdfast.session;

import io.holdfast.bridge.NativeEngine;
import io.holdfast.config.Settings;
import io.holdfast.history.History;
import io.holdfast.history.Remembered;
import io.holdfast.identity.Identity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;

/**
 * Spark's jobs with their task sets and workflows, and what the engine is told of them. Callers
 * hold the session's lock.
 */
final class Jobs {
  /** The engine. */
  interface Steps {
    void step(int kind, int a, int b, int c, int d, int e, int f);
  }

  /** The log: see {@link NativeEngine#name}. */
  interface Labels {
    void name(int kind, int id, String name);
  }

  private static final int MOST_TENANTS = 4096;

  private final Steps steps;
  private final Labels labels;
  private final History history;
  private final Map<Integer, JobRef> byId = new HashMap<>();
  private final Workflows workflows = new Workflows();
  private final Pools pools;
  private final Set<Long> executions = new HashSet<>();
  private int nextSet;

  /** Ids of users with a bound, from 1 on; the latest {@link #MOST_TENANTS} of them. */
  private final Map<String, Integer> tenants =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
          return size() > MOST_TENANTS;
        }
      };

  private int lastTenant;

  /** Runs that have not ended, see {@link Identity#run}: SQL execution, names of its workflows. */
  private final Map<String, Set<String>> runs = new HashMap<>();

  /** How many of these runs have a name. */
  private final Map<String, Integer> taken = new HashMap<>();

  private long ends;

  Jobs(Steps steps, Labels labels, History history) {
    this.steps = steps;
    this.labels = labels;
    this.history = history;
    pools = new Pools(steps);
  }

  /** The pools that share fairly. */
  Pools pools() {
    return pools;
  }

  private void step(int kind, int a, int b) {
    steps.step(kind, a, b, 0, 0, 0, 0);
  }

  /** Jobs that have not ended. */
  Set<Integer> known() {
    return byId.keySet();
  }

  /** SQL executions with a job, that have not ended. */
  Set<Long> executions() {
    return executions;
  }

  /** Null if it has not been submitted, or is forgotten. */
  JobRef find(int jobId) {
    return byId.get(jobId);
  }

  /**
   * A job begins, perhaps of a workflow that nobody has seen before.
   *
   * @param continues whether another job of the workflow may follow
   */
  JobRef submit(int jobId, Identity identity, Properties properties, boolean continues) {
    String name = identity.split() ? free(identity) : identity.name();
    WorkflowRef workflow = workflows.find(name);
    if (workflow == null) {
      workflow = workflows.add(name, identity.name(), identity.lasting(), identity.recurs());
      labels.name(NativeEngine.NAME_WORKFLOW, workflow.id, workflow.name);
    }
    Long execution = Identity.executionId(properties);
    if (execution != null) executions.add(execution);
    if (identity.run() != null
        && runs.computeIfAbsent(identity.run(), r -> new LinkedHashSet<>()).add(name))
      taken.merge(name, 1, Integer::sum);
    workflow.run = identity.run();
    workflow.bridged = identity.bridged();
    if (workflow.closed && workflow.seen != null) workflow.seen.begins();
    workflow.closed = false;
    JobRef job = new JobRef(jobId, workflow, identity, properties);
    byId.put(jobId, job);
    workflow.jobs.add(job);
    workflow.pool = pools.of(properties);
    open(workflow);
    boolean alone = workflow.jobs.size() == 1;
    if (alone) sayKin(workflow);
    steps.step(NativeEngine.JOB_SUBMITTED, jobId, workflow.id, continues ? 1 : 0, 0, 0, 0);
    if (alone
        && workflow.seen != null
        && history.continues(workflows.firstLike(workflow).id, workflow.seen))
      sayRecalled(workflow);
    return job;
  }

  /**
   * Returns the name under which a run goes on, or begins, where needed with a number: nobody may
   * have it whose run has not ended. Of those that are free the one whose run ended last has slots
   * that still wait for the next one.
   */
  private String free(Identity identity) {
    for (String name : runs.getOrDefault(identity.run(), Set.of())) {
      WorkflowRef known = workflows.find(name);
      if (known != null && known.lasting.equals(identity.lasting())) return name;
    }
    WorkflowRef latest = null;
    for (WorkflowRef each : workflows.numbered(identity.name()))
      if (!taken.containsKey(each.name)
          && each.lasting.equals(identity.lasting())
          && (latest == null || each.ended > latest.ended)) latest = each;
    if (latest != null) return latest.name;
    String name = identity.name();
    for (int i = 2; taken.containsKey(name) || workflows.find(name) != null; i++)
      name = identity.name() + " (" + i + ")";
    return name;
  }

  /** The most important of its live jobs says what the workflow is: a lesser one takes nothing. */
  private void open(WorkflowRef workflow) {
    Identity first = workflow.first().identity;
    workflow.priority = first.priority();
    label(workflow, first);
    steps.step(
        NativeEngine.WORKFLOW_OPENED,
        workflow.id,
        first.priority(),
        first.isolation(),
        first.parallelism(),
        workflow.pool,
        0);
    bound(workflow, first);
  }

  /**
   * What several workflows repeat the first of them knows. It is said again with the first job
   * after a while without any: the engine may have forgotten the workflow.
   */
  private void sayKin(WorkflowRef workflow) {
    WorkflowRef first = workflows.firstLike(workflow);
    if (first == workflow && !workflow.akin) return;
    step(NativeEngine.AKIN, workflow.id, first.id);
    // What is noted for other applications is noted of the first.
    if (first == workflow) workflow.seen = null;
    workflow.akin = first != workflow;
  }

  private void bound(WorkflowRef workflow, Identity first) {
    boolean bounded = first.holdsMax() != null;
    if (!bounded && !workflow.bounded) return;
    // Those whose user is not known share one bound.
    String user = first.user() == null ? "" : first.user();
    int tenant = bounded ? tenants.computeIfAbsent(user, u -> ++lastTenant) : 0;
    int holds = bounded ? first.holdsMax() : 0;
    steps.step(NativeEngine.BOUNDED, workflow.id, tenant, holds, 0, 0, 0);
    workflow.bounded = bounded;
  }

  /** Notes, where that has changed, whose its latest job is and what was claimed for it. */
  private void label(WorkflowRef workflow, Identity first) {
    String user = workflow.jobs.get(workflow.jobs.size() - 1).identity.user();
    if (!Objects.equals(user, workflow.user)) {
      workflow.user = user;
      labels.name(NativeEngine.NAME_USER, workflow.id, user == null ? "" : user);
    }
    if (!Objects.equals(first.claim(), workflow.claim)) {
      workflow.claim = first.claim();
      String claim = workflow.claim == null ? "" : workflow.claim;
      labels.name(NativeEngine.NAME_CLAIM, workflow.id, claim);
    }
  }

  /** Opens it anew when another of its live jobs speaks for it now. */
  private void reopen(WorkflowRef workflow) {
    JobRef first = workflow.first();
    if (first == null) return;
    label(workflow, first.identity);
    if (first.identity.priority() == workflow.priority) return;
    boolean closed = workflow.closed;
    open(workflow);
    if (closed) close(workflow);
  }

  /** Priorities have changed, or whose the jobs are. */
  void reprioritise(Settings settings) {
    Set<WorkflowRef> touched = new LinkedHashSet<>();
    for (JobRef job : byId.values()) {
      job.identity = Identity.of(job.properties, job.id, settings);
      touched.add(job.workflow);
    }
    touched.forEach(this::reopen);
  }

  /**
   * More of a job's plan is known.
   *
   * @param plan stage, tasks, tasks and profile of what follows it, signature; again and again.
   *     What was said before of a stage stands.
   */
  void planned(JobRef job, int[] plan) {
    if (plan.length > 0 && job.workflow.recurs && job.workflow.seen == null)
      recall(job.workflow, plan);
    for (int i = 0; i + 4 < plan.length; i += 5) {
      if (job.planned.add(plan[i]))
        steps.step(
            NativeEngine.STAGE_PLANNED,
            job.id,
            plan[i],
            plan[i + 1],
            plan[i + 2],
            plan[i + 3],
            plan[i + 4]);
    }
  }

  /**
   * The first plan of a workflow: now it is known which of its earlier runs were alike. All that
   * repeat the same are one there.
   */
  private void recall(WorkflowRef workflow, int[] plan) {
    WorkflowRef first = workflows.firstLike(workflow);
    workflow.seen = first.seen;
    if (workflow.seen != null) {
      workflow.seen.begins();
      return;
    }
    workflow.seen = history.begins(first.id, workflow.lasting, plan);
    if (workflow.seen == null) return;
    first.seen = workflow.seen;
    sayRecalled(workflow);
  }

  private void sayRecalled(WorkflowRef workflow) {
    for (Remembered.Step s : history.recall(workflow.seen))
      steps.step(
          NativeEngine.RECALLED,
          workflow.id,
          s.first(),
          s.second(),
          s.then(),
          s.tasks(),
          s.afterMillis());
  }

  /** A task set begins. */
  SetRef begin(JobRef job, int stage, boolean fillsCache, SetRef.Shape shape) {
    SetRef set = new SetRef(nextSet++, job, shape);
    job.sets.add(set);
    job.ending = false; // it was missed by mistake
    if (job.workflow.seen != null) job.workflow.seen.runs();
    steps.step(
        NativeEngine.SET_SUBMITTED,
        set.id,
        job.id,
        stage,
        shape.tasks(),
        shape.profile(),
        shape.kind() + (fillsCache ? NativeEngine.FILLS_CACHE : 0));
    return set;
  }

  /** The task set launches nothing any more. */
  void ended(SetRef set) {
    set.job.sets.remove(set);
    if (!set.over) {
      set.over = true;
      step(NativeEngine.SET_ENDED, set.id, 0);
    }
    if (set.job.ending && set.job.sets.isEmpty()) forget(set.job);
  }

  /**
   * Spark has said that a job is over. A set that still runs for another job keeps the engine's job
   * alive.
   */
  void ended(int jobId, boolean succeeded) {
    JobRef job = byId.get(jobId);
    if (job == null) return;
    job.ending = true;
    job.succeeded = succeeded;
    if (job.sets.stream().allMatch(set -> set.shape.zombie().getAsBoolean())) forget(job);
  }

  private void forget(JobRef job) {
    if (byId.remove(job.id) == null) return;
    job.workflow.jobs.remove(job);
    job.sets.forEach(set -> set.over = true);
    step(NativeEngine.JOB_ENDED, job.id, job.succeeded ? 1 : 0);
    reopen(job.workflow);
  }

  /** Null when it is forgotten; needs no lock. */
  WorkflowRef workflow(int id) {
    return workflows.find(id);
  }

  /** A SQL execution is over, and with it the workflow that it names, or a run of another one. */
  void executionEnded(long id) {
    executions.remove(id);
    closeRun(Long.toString(id));
  }

  /**
   * A micro-batch, statement or query is over: nothing is held until the next one, or in a pool for
   * a moment only, unless a job of that has begun before this was heard. Of several at a time the
   * last that ends counts; none does when the workflow's latest job is of no execution. With the
   * next job the workflow is open again.
   */
  void closeRun(String execution) {
    Set<String> names = runs.remove(execution);
    if (names == null) return;
    for (String name : names) {
      if (taken.merge(name, -1, (now, one) -> now + one == 0 ? null : now + one) != null) continue;
      WorkflowRef workflow = workflows.find(name);
      if (workflow == null) continue;
      workflow.ended = ++ends;
      if (workflow.run == null) continue;
      if (workflow.bridged) step(NativeEngine.RUN_ENDED, workflow.id, 0);
      else close(workflow);
    }
  }

  /** No further job of this workflow comes. */
  void closeWorkflow(String name) {
    WorkflowRef workflow = workflows.find(name);
    if (workflow != null) close(workflow);
  }

  private void close(WorkflowRef workflow) {
    workflow.closed = true;
    step(NativeEngine.WORKFLOW_CLOSED, workflow.id, 0);
  }

  /** Nothing comes any more. */
  void closeAll() {
    for (JobRef job : new ArrayList<>(byId.values())) forget(job);
    workflows.all().forEach(this::close);
  }
}
